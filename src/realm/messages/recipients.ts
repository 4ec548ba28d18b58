// Parses the many forms of `to` (service-facts.md 7.3).

import {type ChannelRow, findChannel, findChannelByName} from '../channels/channels.js';
import {badRequest} from '../errors.js';
import {type Account, findAccount, findByShownEmail} from '../people/accounts.js';
import {shownEmail} from '../people/addresses.js';
import type {Store} from '../store/store.js';

/** Both types of conversation have two names. */
export function readKind(type: 'direct' | 'private' | 'channel' | 'stream'): 'direct' | 'channel' {
	return type === 'direct' || type === 'private' ? 'direct' : 'channel';
}

export type ChannelReference = {readonly id: number} | {readonly name: string};

/** A name without quotes, or JSON: a quoted name, an ID, or a list with one of them. */
export function readChannelReference(to: string | undefined): ChannelReference {
	if (to === undefined) {
		throw badRequest('Missing channel');
	}

	const value = one(readJson(to));
	if (typeof value === 'string') {
		if (value.trim() === '') {
			throw badRequest("Channel name can't be empty.");
		}

		return {name: value};
	}

	if (!Number.isInteger(value)) {
		throw badRequest('Invalid data type for channel');
	}

	return {id: value as number};
}

export function findReferenced(store: Store, reference: ChannelReference): ChannelRow | undefined {
	return 'id' in reference ? findChannel(store, reference.id) : findChannelByName(store, reference.name);
}

function one(value: unknown): unknown {
	if (!Array.isArray(value)) {
		return value;
	}

	if (value.length !== 1) {
		throw badRequest('Expected exactly one channel');
	}

	return value[0];
}

/** The receivers of a direct message, without duplicates. The sender may be among them. */
export function readDirectRecipients(store: Store, to: string | undefined): Account[] {
	const list = readList(to);
	if (list.length === 0) {
		throw badRequest('Message must have recipients');
	}

	return list.map(item => (typeof item === 'string' ? byEmail(store, item) : byId(store, item)));
}

/** The same, from IDs. */
export function findDirectRecipients(store: Store, ids: readonly number[]): Account[] {
	if (ids.length === 0) {
		throw badRequest('Message must have recipients');
	}

	return [...new Set(ids)].map(id => byId(store, id));
}

function readList(to: string | undefined): string[] | number[] {
	const value = readJson(to ?? '');
	const list = typeof value === 'string' ? value.split(',') : value;
	if (!Array.isArray(list)) {
		throw badRequest('Invalid data type for recipients');
	}

	if (list.every(item => typeof item === 'string')) {
		return [...new Set(list.map(email => email.trim()).filter(email => email !== ''))];
	}

	if (list.every(item => Number.isInteger(item))) {
		return [...new Set(list as number[])];
	}

	const isMixed = list.every(item => typeof item === 'string' || Number.isInteger(item));
	throw badRequest(
		isMixed ? 'Recipient lists may contain emails or user IDs, but not both.' : 'Invalid data type for recipients',
	);
}

function byEmail(store: Store, email: string): Account {
	const account = findByShownEmail(store, email);
	if (!account) {
		throw badRequest(`Invalid email '${email}'`);
	}

	return active(store, account);
}

function byId(store: Store, id: number): Account {
	const account = findAccount(store, id);
	if (!account) {
		throw badRequest(`Invalid user ID ${id}`);
	}

	return active(store, account);
}

function active(store: Store, account: Account): Account {
	if (!account.is_active) {
		throw badRequest(`'${shownEmail(store, account)}' is no longer using Zulip.`);
	}

	return account;
}

function readJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}
