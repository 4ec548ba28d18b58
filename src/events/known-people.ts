// Who a user is. No message and no event shows whether somebody is a bot.

import type {Client} from '../client/client.js';
import {type RetryOptions, retryUntilAnswered} from './retry.js';

export interface KnownPerson {
	readonly id: number;
	readonly email: string;
	readonly name: string;
}

export interface KnownPeople {
	isBot(userId: number): Promise<boolean>;
	/** Undefined for bots: what bots do is not delivered. */
	person(userId: number): Promise<KnownPerson | undefined>;
}

/** How long a name counts as current. */
const FRESH_MS = 60_000;

/**
 * A user who is not in the list is one of the service's own bots. Before feature level 384 the service lists all users
 * instead of the one.
 */
export function createKnownPeople(client: Client, retry: RetryOptions): KnownPeople {
	/** Without a person for bots. */
	const known = new Map<number, {readonly person: KnownPerson | undefined; readonly at: number}>();

	async function look(userId: number): Promise<KnownPerson | undefined> {
		const {signal} = retry;
		const {members} = await retryUntilAnswered(retry, () => client.getUsers({user_ids: [userId]}, {signal}));
		const at = performance.now();
		known.set(userId, {person: undefined, at});
		for (const {user_id: id, email, full_name: name, is_bot: isBot} of members) {
			known.set(id, {person: isBot ? undefined : {id, email, name}, at});
		}

		return known.get(userId)?.person;
	}

	return {
		async isBot(userId) {
			return (known.has(userId) ? known.get(userId)?.person : await look(userId)) === undefined;
		},
		async person(userId) {
			const found = known.get(userId);
			const isFresh = found !== undefined && performance.now() - found.at < FRESH_MS;
			return isFresh ? found.person : look(userId);
		},
	};
}
