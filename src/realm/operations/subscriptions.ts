import {mayReadChannel, maySeeChannel} from '../channels/access.js';
import {type ChannelRow, findChannel, findChannelByName, isSubscribed} from '../channels/channels.js';
import {checkNewChannel, insertChannel} from '../channels/create.js';
import {checkChannelName, cleanDescription} from '../channels/name.js';
import {announceChannel, noticeCreation, noticeSubscription} from '../channels/notices.js';
import {subscribersMeant} from '../channels/principals.js';
import {isTrusted} from '../channels/settings.js';
import {addSubscribers, removeSubscribers} from '../channels/subscribers.js';
import {readColor, readSubscriptionProperty} from '../channels/subscription-settings.js';
import {badRequest} from '../errors.js';
import {ownSubscriptions} from '../events/channel-state.js';
import {type Call, handler} from '../http/handler.js';
import {type Account, isAdministrator, isBot} from '../people/accounts.js';
import {findPerson} from '../people/find-person.js';
import type {Services} from '../services.js';
import type {Store} from '../store/store.js';

export const getSubscriptions = handler('getSubscriptions', ({services, caller, parameters}) => ({
	subscriptions: ownSubscriptions(services, {
		caller,
		includeSubscribers: parameters.include_subscribers,
		archivedChannels: false,
	}),
}));

/** Before this level, answers named people by email. */
const FIRST_LEVEL_WITH_IDS = 289;

type Names = Record<string, string[]>;
type Request = Call<'subscribe'>['parameters'];

export const subscribe = handler('subscribe', ({services, caller, parameters}) => {
	const {store, featureLevel} = services;
	const {principals, authorization_errors_fatal: isFatal, announce} = parameters;
	return store.transaction(() => {
		for (const [index, {color}] of parameters.subscriptions.entries()) {
			if (typeof color === 'string') {
				readColor(color, {place: `subscriptions[${index}]`, name: 'add.color'});
			}
		}

		if (parameters.subscriptions.length > 0) {
			checkNewChannel(services, parameters);
		}

		const {existing, created, colors} = findOrCreate(services, caller, parameters);
		const closed = existing.filter(channel => channel.is_archived || !mayReadChannel(store, caller, channel));
		if (isFatal && closed[0]) {
			throw badRequest(`Unable to access channel (${closed[0].name}).`);
		}

		const people = subscribersMeant(store, caller, principals);
		const [subscribed, already]: [Names, Names] = [{}, {}];
		const arrivals = new Map<number, readonly Account[]>();
		const note = (names: Names, {id, email}: Account, {name}: ChannelRow) => {
			const key = featureLevel < FIRST_LEVEL_WITH_IDS ? email : String(id);
			names[key] = [...(names[key] ?? []), name];
		};
		for (const channel of [...existing.filter(each => !closed.includes(each)), ...created]) {
			const wanted = {id: channel.id, color: colors.get(channel.id)};
			const newcomers = addSubscribers(services, wanted, people, created.includes(channel) ? new Set() : undefined);
			arrivals.set(channel.id, newcomers);
			for (const person of people) {
				note(newcomers.includes(person) ? subscribed : already, person, channel);
			}
		}

		for (const channel of created) {
			noticeCreation(services, caller, channel);
		}

		for (const person of people.filter(each => each.id !== caller.id && !isBot(each))) {
			const names = existing.filter(channel => arrivals.get(channel.id)?.includes(person)).map(({name}) => name);
			noticeSubscription(services, caller, {person, names: names.sort()});
		}

		for (const channel of announce ? created : []) {
			announceChannel(services, caller, channel.name);
		}

		return {
			subscribed,
			already_subscribed: already,
			...(!isFatal && {unauthorized: closed.map(channel => channel.name)}),
		};
	});
});

/** Without duplicates. Checks all new channels before it subscribes anybody. */
function findOrCreate(services: Services, caller: Account, {subscriptions, ...wanted}: Request) {
	const {store} = services;
	const [existing, created]: [ChannelRow[], ChannelRow[]] = [[], []];
	const colors = new Map<number, string | undefined>();
	for (const subscription of subscriptions) {
		const name = checkChannelName(subscription.name);
		const known = findChannelByName(store, name);
		if (known) {
			colors.set(known.id, subscription.color ?? undefined);
			existing.push(known);
			continue;
		}

		const description = cleanDescription(subscription.description ?? '');
		const channel = findChannel(store, insertChannel(services, caller, {...wanted, name, description}));
		colors.set(channel?.id ?? 0, subscription.color ?? undefined);
		created.push(...(channel ? [channel] : []));
	}

	const isNew = ({id}: ChannelRow) => created.some(channel => channel.id === id);
	const byId = new Map(existing.filter(channel => !isNew(channel)).map(channel => [channel.id, channel]));
	return {existing: [...byId.values()], created, colors};
}

export const unsubscribe = handler('unsubscribe', ({services, caller, parameters}) => {
	const {store} = services;
	return store.transaction(() => {
		const people = subscribersMeant(store, caller, parameters.principals);
		const channels = findChannels(store, parameters.subscriptions);
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

function findChannels(store: Store, names: readonly string[]): ChannelRow[] {
	const found = names.map(name => {
		const channel = findChannelByName(store, name);
		return channel?.is_archived ? undefined : channel;
	});
	const unknown = names.filter((_, index) => !found[index]);
	if (unknown.length > 0) {
		throw badRequest(`Channel(s) (${unknown.map(name => name.trim()).join(', ')}) do not exist`);
	}

	return [...new Map(found.flatMap(channel => (channel ? [[channel.id, channel]] : []))).values()];
}

function mayRemove(store: Store, caller: Account, channel: ChannelRow): boolean {
	return isAdministrator(caller) || isTrusted(store, caller, channel.id, 'can_remove_subscribers_group');
}

export const updateSubscriptionSettings = handler('updateSubscriptionSettings', ({services, caller, parameters}) => {
	const {store, queues} = services;
	store.transaction(() => {
		for (const [index, {stream_id: id, ...wanted}] of parameters.subscription_data.entries()) {
			const channel = findChannel(store, id);
			if (!channel || channel.is_archived || !mayReadChannel(store, caller, channel)) {
				throw badRequest('Invalid channel ID');
			}

			if (!isSubscribed(store, caller.id, id)) {
				throw badRequest(`Not subscribed to channel id ${id}`);
			}

			const {property, value} = readSubscriptionProperty(wanted, `subscription_data[${index}]`);
			const stored = typeof value === 'boolean' ? Number(value) : value;
			const where = 'WHERE user_id = ? AND channel_id = ?';
			const isSame = `SELECT 1 AS found FROM subscriptions ${where} AND ${property} IS ?`;
			if (!store.get(isSame, caller.id, id, stored)) {
				store.run(`UPDATE all_subscriptions SET ${property} = ? ${where}`, stored, caller.id, id);
				const news = property === 'is_muted' ? [{property: 'in_home_view', value: !value}] : [];
				for (const change of [...news, {property, value}]) {
					const event = {type: 'subscription', op: 'update', stream_id: id, ...change};
					store.afterCommit(() => queues.publishTo(caller.id, event));
				}
			}
		}
	});

	return {};
});

export const getSubscriptionStatus = handler('getSubscriptionStatus', ({services: {store}, caller, parameters}) => {
	const {user_id: userId, stream_id: id} = parameters;
	const channel = findChannel(store, id);
	findPerson(store, userId);
	if (!channel || channel.is_archived || !maySeeChannel(store, caller, channel)) {
		throw badRequest('Invalid channel ID');
	}

	return {is_subscribed: isSubscribed(store, userId, id)};
});
