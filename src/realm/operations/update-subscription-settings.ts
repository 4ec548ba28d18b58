import {findChannel, isSubscribed} from '../channels/channels.js';
import {readSubscriptionProperty} from '../channels/subscription-settings.js';
import {badRequest} from '../errors.js';
import {handler} from '../http/handler.js';

export const updateSubscriptionSettings = handler('updateSubscriptionSettings', ({services, caller, parameters}) => {
	const {store, queues} = services;
	store.transaction(() => {
		for (const [index, {stream_id: id, ...wanted}] of parameters.subscription_data.entries()) {
			if (!findChannel(store, id) || !isSubscribed(store, caller.id, id)) {
				throw badRequest(`Not subscribed to channel id ${id}`);
			}

			const {property, value} = readSubscriptionProperty(wanted, `subscription_data[${index}]["value"]`);
			const stored = typeof value === 'boolean' ? Number(value) : value;
			const where = 'WHERE user_id = ? AND channel_id = ?';
			const isSame = `SELECT 1 AS found FROM subscriptions ${where} AND ${property} IS ?`;
			if (!store.get(isSame, caller.id, id, stored)) {
				store.run(`UPDATE all_subscriptions SET ${property} = ? ${where}`, stored, caller.id, id);
				const event = {type: 'subscription', op: 'update', stream_id: id, property, value};
				store.afterCommit(() => queues.publishTo(caller.id, event));
			}
		}
	});

	return {};
});
