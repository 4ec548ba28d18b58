// Who and what the words of a message mean, asked of the service.

import type {User} from '../api/index.js';
import type {Client} from '../client/client.js';
import {ApiError} from '../client/errors.js';
import type {Resolver} from './arguments.js';
import type {Role} from './bot.js';

const RANKS: Readonly<Record<Role, number>> = {owner: 100, administrator: 200, moderator: 300, member: 400};

/** Whether somebody of a role, as the service numbers it, may do what asks for one. */
export function mayAct(role: number, needed: Role): boolean {
	return role <= RANKS[needed];
}

/** What the service knows of the people of one delivery; each question is asked once. */
export interface People extends Pick<Resolver, 'zone' | 'user' | 'channel'> {
	/** The sender's role, as the service numbers it; undefined where that cannot be known. */
	role(): Promise<number | undefined>;
}

export function createPeople(api: () => Client, sender: number): People {
	let asked: Promise<User | undefined> | undefined;
	const whoWrote = () => {
		asked ??= findUser(api, sender);
		return asked;
	};

	return {
		role: async () => (await whoWrote().catch(() => undefined))?.role,
		// A bot without an API key still tells the time, by the clock of nobody in particular.
		zone: async () => (await whoWrote().catch(() => undefined))?.timezone || 'UTC',
		async user(word) {
			const user = await userOf(api, word);
			return user && {id: user.user_id, name: user.full_name, email: user.email};
		},
		async channel(word) {
			const name = /^#\*\*([^>*]+)(?:>[^*]*)?\*\*$/.exec(word)?.[1] ?? word.replace(/^#/, '');
			const {streams} = await api().getStreams({});
			const found = streams.find(channel => channel.name.toLowerCase() === name.toLowerCase());
			return found && {id: found.stream_id, name: found.name};
		},
	};
}

async function userOf(api: () => Client, word: string): Promise<User | undefined> {
	const [, name = word, id] = /^@_?\*\*([^|*]*)(?:\|(\d+))?\*\*$/.exec(word) ?? [];
	if (id !== undefined) {
		return findUser(api, Number(id));
	}

	const {members} = await api().getUsers();
	const wanted = name.toLowerCase();
	return members.find(
		({is_active: isActive, full_name: fullName, email, delivery_email: delivery}) =>
			isActive && [fullName, email, delivery].some(known => known?.toLowerCase() === wanted),
	);
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
