// Looks up the people and channels that a message names.

import type {User} from '../../api/index.js';
import type {Client} from '../../client/client.js';
import {findByName, findChannel} from '../../client/directory.js';
import {ApiError} from '../../client/errors.js';
import type {Bot} from '../bot.js';
import type {Role} from '../declarations.js';
import {ArgumentError, type Resolver} from './arguments.js';

/** Limit for calls to the service per message. */
const MOST_QUESTIONS = 10;

const RANKS: Readonly<Record<Role, number>> = {owner: 100, administrator: 200, moderator: 300, member: 400};

/** Whether a user with this role (the service's number) may run a command that needs `role`. */
export function mayAct(role: number, needed: Role): boolean {
	return role <= RANKS[needed];
}

/** Whether a bot has commands for administrators. Then its account must be an administrator too. */
export function servesAdministrators({commands}: Bot<unknown, unknown>): boolean {
	return [...commands.values()].some(({role}) => role === 'owner' || role === 'administrator');
}

/** Looks up people for one delivery. Each look-up is cached. */
export interface People extends Pick<Resolver, 'zone' | 'user' | 'channel'> {
	/** The sender's role (the service's number). Undefined if it cannot be found out. */
	role(): Promise<number | undefined>;
}

export function createPeople(api: () => Client, sender: number): People {
	const asked = new Map<string, Promise<unknown>>();
	/** Caches and limits look-ups: a message of 10,000 characters could name a thousand people. */
	const once = <Answer>(question: string, ask: () => Promise<Answer>): Promise<Answer> => {
		const known = asked.get(question);
		if (!known && asked.size >= MOST_QUESTIONS) {
			throw new ArgumentError(`Expected at most ${MOST_QUESTIONS} people and channels to look up in one message`);
		}

		const answer = known ?? ask();
		asked.set(question, answer);
		// All answers for one key have the same type.
		return answer as Promise<Answer>;
	};
	const user = (id: number) => once(`user ${id}`, () => findUser(api, id));
	const users = () => once('users', () => api().getUsers());
	const channels = () => once('channels', () => api().getStreams({}));
	const whoWrote = () => user(sender);

	return {
		role: async () => (await whoWrote().catch(() => undefined))?.role,
		// Without an API key, times are read in UTC.
		zone: async () => (await whoWrote().catch(() => undefined))?.timezone || 'UTC',
		async user(word) {
			const found = await userOf(word, {user, users});
			return found && {id: found.user_id, name: found.full_name, email: found.email};
		},
		async channel(word) {
			const name = /^#\*\*([^>*]+)(?:>[^*]*)?\*\*$/.exec(word)?.[1] ?? word.replace(/^#/, '');
			const {streams} = await channels();
			const found = findChannel(streams, name);
			return found && {id: found.stream_id, name: found.name};
		},
	};
}

interface Directory {
	user(id: number): Promise<User | undefined>;
	users(): Promise<{members: User[]}>;
}

async function userOf(word: string, {user, users}: Directory): Promise<User | undefined> {
	const [, name = word, id] = /^@_?\*\*([^|*]*)(?:\|(\d+))?\*\*$/.exec(word) ?? [];
	if (id !== undefined) {
		return user(Number(id));
	}

	const {members} = await users();
	return findByName(members, name);
}

async function findUser(api: () => Client, id: number): Promise<User | undefined> {
	try {
		return (await api().getUser({user_id: id})).user;
	} catch (error) {
		if (error instanceof ApiError && error.status === 400) {
			return undefined;
		}

		throw error;
	}
}
