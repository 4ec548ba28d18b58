import {mayReadChannel} from '../channels/access.js';
import {type ChannelRow, findChannel, findChannelByName} from '../channels/channels.js';
import {insertChannel} from '../channels/create.js';
import {checkChannelName, cleanDescription} from '../channels/name.js';
import {announceChannel} from '../channels/notices.js';
import {subscribersMeant} from '../channels/principals.js';
import {addSubscribers} from '../channels/subscribers.js';
import {badRequest} from '../errors.js';
import {type Call, handler} from '../http/handler.js';
import type {Account} from '../people/accounts.js';
import type {Services} from '../services.js';

/** Until then answers named people by email. */
const FIRST_LEVEL_WITH_IDS = 289;

type Names = Record<string, string[]>;
type Request = Call<'subscribe'>['parameters'];

export const subscribe = handler('subscribe', ({services, caller, parameters}) => {
	const {store, featureLevel} = services;
	const {principals, authorization_errors_fatal: isFatal, announce} = parameters;
	return store.transaction(() => {
		const people = subscribersMeant(store, caller, principals);
		const {existing, created} = findOrCreate(services, caller, parameters);
		const closed = existing.filter(channel => channel.is_archived || !mayReadChannel(store, caller, channel));
		if (isFatal && closed[0]) {
			throw badRequest(`Unable to access channel (${closed[0].name}).`);
		}

		const [subscribed, already]: [Names, Names] = [{}, {}];
		const note = (names: Names, {id, email}: Account, {name}: ChannelRow) => {
			const key = featureLevel < FIRST_LEVEL_WITH_IDS ? email : String(id);
			names[key] = [...(names[key] ?? []), name];
		};
		for (const channel of [...existing.filter(each => !closed.includes(each)), ...created]) {
			const newcomers = addSubscribers(services, channel, people, created.includes(channel) ? new Set() : undefined);
			for (const person of people) {
				note(newcomers.includes(person) ? subscribed : already, person, channel);
			}
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

/** Each channel once; all that is wrong with a new one is found before anybody is subscribed. */
function findOrCreate(services: Services, caller: Account, {subscriptions, ...wanted}: Request) {
	const {store} = services;
	const [existing, created]: [ChannelRow[], ChannelRow[]] = [[], []];
	for (const subscription of subscriptions) {
		const name = checkChannelName(subscription.name);
		const known = findChannelByName(store, name);
		if (known) {
			existing.push(known);
			continue;
		}

		const description = cleanDescription(subscription.description ?? '');
		const channel = findChannel(store, insertChannel(services, caller, {...wanted, name, description}));
		created.push(...(channel ? [channel] : []));
	}

	const isNew = ({id}: ChannelRow) => created.some(channel => channel.id === id);
	const byId = new Map(existing.filter(channel => !isNew(channel)).map(channel => [channel.id, channel]));
	return {existing: [...byId.values()], created};
}
