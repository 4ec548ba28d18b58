// Who and what the words of a message mean, asked of the service.

import type {User} from '../api/index.js';
import type {Client} from '../client/client.js';
import {findByName, findChannel} from '../client/directory.js';
import {ApiError} from '../client/errors.js';
import {ArgumentError, type Resolver} from './arguments.js';
import type {Bot} from './bot.js';
import type {Role} from './declarations.js';

/** Calls to the service for the words of one message. */
const MOST_QUESTIONS = 10;

const RANKS: Readonly<Record<Role, number>> = {owner: 100, administrator: 200, moderator: 300, member: 400};

/** Whether somebody of a role, as the service numbers it, may do what asks for one. */
export function mayAct(role: number, needed: Role): boolean {
	return role <= RANKS[needed];
}

/** Whether a bot has commands for administrators: then its account must be an administrator's, too. */
export function servesAdministrators({commands}: Bot<unknown, unknown>): boolean {
	return [...commands.values()].some(({role}) => role === 'owner' || role === 'administrator');
}

/** What the service knows of the people of one delivery; each question is asked once. */
export interface People extends Pick<Resolver, 'zone' | 'user' | 'channel'> {
	/** The sender's role, as the service numbers it; undefined where that cannot be known. */
	role(): Promise<number | undefined>;
}

export function createPeople(api: () => Client, sender: number): People {
	const asked = new Map<string, Promise<unknown>>();
	/** Asks each question once, and few of them: a message of 10,000 characters could name a thousand people. */
	const once = <Answer>(question: string, ask: () => Promise<Answer>): Promise<Answer> => {
		const known = asked.get(question);
		if (!known && asked.size >= MOST_QUESTIONS) {
			throw new ArgumentError(`Expected at most ${MOST_QUESTIONS} people and channels to look up in one message`);
		}

		const answer = known ?? ask();
		asked.set(question, answer);
		// A question has one kind of answer.
		return answer as Promise<Answer>;
	};
	const user = (id: number) => once(`user ${id}`, () => findUser(api, id));
	const users = () => once('users', () => api().getUsers());
	const channels = () => once('channels', () => api().getStreams({}));
	const whoWrote = () => user(sender);

	return {
		role: async () => (await whoWrote().catch(() => undefined))?.role,
		// A bot without an API key still tells the time, by the clock of nobody in particular.
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
