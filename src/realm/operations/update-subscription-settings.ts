import {findChannel, isMuted, isSubscribed, muteChannel} from '../channels/channels.js';
import {badRequest} from '../errors.js';
import {handler} from '../http/handler.js';

export const updateSubscriptionSettings = handler('updateSubscriptionSettings', ({services, caller, parameters}) => {
	const {store, queues} = services;
	store.transaction(() => {
		for (const {stream_id: id, property, value} of parameters.subscription_data) {
			const channel = findChannel(store, id);
			if (!channel || !isSubscribed(store, caller.id, id)) {
				throw badRequest(`Not subscribed to channel id ${id}`);
			}

			if (property !== 'is_muted') {
				throw badRequest(`Unknown subscription property: ${property}`);
			}

			if (value !== isMuted(store, caller.id, id)) {
				muteChannel(store, caller.id, {channelId: id, isMuted: value});
				const event = {type: 'subscription', op: 'update', stream_id: id, property, value};
				store.afterCommit(() => queues.publishTo(caller.id, event));
			}
		}
	});

	return {};
});
