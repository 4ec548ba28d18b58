import {mayAdminister, maySeeChannel} from '../channels/access.js';
import {type ChannelRow, findChannelByName} from '../channels/channels.js';
import {subscribersMeant} from '../channels/principals.js';
import {isTrusted} from '../channels/settings.js';
import {removeSubscribers} from '../channels/subscribers.js';
import {badRequest} from '../errors.js';
import {handler} from '../http/handler.js';
import type {Account} from '../people/accounts.js';
import type {Store} from '../store/store.js';

export const unsubscribe = handler('unsubscribe', ({services, caller, parameters}) => {
	const {store} = services;
	return store.transaction(() => {
		const people = subscribersMeant(store, caller, parameters.principals);
		const channels = findChannels(store, caller, parameters.subscriptions);
		const others = people.filter(({id, bot_owner_id}) => id !== caller.id && bot_owner_id !== caller.id);
		if (others.length > 0 && !channels.every(channel => mayRemove(store, caller, channel))) {
			throw badRequest('Insufficient permission');
		}

		const [removed, notRemoved]: [string[], string[]] = [[], []];
		for (const channel of channels) {
			const leavers = removeSubscribers(services, channel, people);
			for (const person of people) {
				(leavers.includes(person) ? removed : notRemoved).push(channel.name);
			}
		}

		return {removed, not_removed: notRemoved};
	});
});

function findChannels(store: Store, caller: Account, names: readonly string[]): ChannelRow[] {
	const found = names.map(name => {
		const channel = findChannelByName(store, name);
		return channel && maySeeChannel(store, caller, channel) ? channel : undefined;
	});
	const unknown = names.filter((_, index) => !found[index]);
	if (unknown.length > 0) {
		throw badRequest(`Channel(s) (${unknown.map(name => name.trim()).join(', ')}) do not exist`);
	}

	return [...new Map(found.flatMap(channel => (channel ? [[channel.id, channel]] : []))).values()];
}

function mayRemove(store: Store, caller: Account, channel: ChannelRow): boolean {
	return mayAdminister(store, caller, channel) || isTrusted(store, caller, channel.id, 'can_remove_subscribers_group');
}
