// Finds what Redis stores about one person in one account: what can be deleted, and what stays and why.

import type {Account} from '../config/accounts.js';
import type {StoredEntry} from '../delivery/store.js';
import {answeredBy, personOf, readWork} from '../delivery/work.js';
import {hasSeen} from '../events/inbox.js';
import {readEntries} from '../outbox/store.js';
import {accountKey, accountTag} from '../redis/account-key.js';
import type {RedisConnection} from '../redis/connection.js';
import {keysOfAccount} from '../redis/stored-accounts.js';
import {createCronStore} from '../schedules/cron-store.js';

export interface Person {
	readonly id: number;
	readonly email: string | undefined;
}

/** Something to delete. */
export interface Holding {
	/** `delivery`, `session`. */
	readonly kind: string;
	readonly name: string;
	drop(): Promise<unknown>;
}

export interface Found {
	readonly holdings: readonly Holding[];
	/** Reason, and how much stays for it. */
	readonly kept: ReadonlyMap<string, number>;
	/** Keys of the bot's storage that may be about the person. */
	readonly storage: readonly string[];
}

/** For this long, the service may repeat a delivery. The ledger recognizes the repeat. */
const REPEATED_MS = 60_000;

/** `storageKeys`: keys of the bot's own storage to delete. Only the bot knows which keys are about the person. */
export async function findPerson(
	redis: RedisConnection,
	account: Account,
	{person, storageKeys}: {person: Person; storageKeys: readonly string[]},
): Promise<Found> {
	const tag = accountTag(account);
	const key = (what: string) => accountKey(redis, tag, what);
	const holdings: Holding[] = [];
	const kept = new Map<string, number>();
	const keep = (why: string) => kept.set(why, (kept.get(why) ?? 0) + 1);
	const hold = (kind: string, name: string, drop: Holding['drop']) => holdings.push({kind, name, drop});
	const names = namesBySend(await redis.hgetall(key('schedules')));
	const prefix = key('');

	/** The indexes of entries that go. */
	function dropEntries(id: string, entries: readonly StoredEntry[]) {
		const dropping = redis.multi();
		for (const {n} of entries) {
			dropping.zrem(key('unsettled'), `${id} ${n}`);
			for (const name of names.get(`${id} ${n}`) ?? []) {
				dropping.hdel(key('schedules'), name);
			}
		}

		return dropping;
	}

	async function lookAtDelivery(id: string, entries: readonly StoredEntry[]): Promise<boolean> {
		const [work, status, held, end] = await redis.hmget(key(`delivery:${id}`), 'work', 'status', 'held', 'end');
		if (status != null && work == null) {
			keep('deliveries whose text was deleted, so their author is unknown. They are deleted within a week');
			return true;
		}

		if (work == null || senderOf(work) !== person.id) {
			return false;
		}

		const isRunning = status === 'running' && held == null;
		if (isRunning || Number(end ?? 0) > Date.now() - REPEATED_MS || entries.some(isUnderWay)) {
			keep('deliveries of the last minute or still under way: run this again');
			return true;
		}

		hold('delivery', id, () =>
			['ledger', 'due', 'unconfirmed', 'trim-later', 'failed', 'parked']
				.reduce((dropping, index) => dropping.zrem(key(index), id), dropEntries(id, entries))
				.del(...['delivery', 'outbox', 'put-results'].map(what => key(`${what}:${id}`)))
				.exec(),
		);
		return true;
	}

	/** Messages to the person in outboxes of other people's deliveries. */
	function lookAtEntries(id: string, entries: readonly StoredEntry[]): void {
		for (const entry of entries) {
			const share = shareIn(entry.target, person);
			if (share === 'group') {
				keep('messages to several people');
			} else if (share === 'alone' && isUnderWay(entry)) {
				keep('messages that are being posted: run this again');
			} else if (share === 'alone') {
				hold('message to them', `${id}/${entry.n}`, () =>
					dropEntries(id, [entry])
						.hdel(key(`outbox:${id}`), String(entry.n), `state ${entry.n}`, `cancel ${entry.n}`)
						.exec(),
				);
			}
		}
	}

	const seen = new Set<string>();
	for await (const full of keysOfAccount(redis, tag)) {
		const [what = '', ...rest] = full.slice(prefix.length).split(':');
		const id = rest.join(':');
		if ((what === 'delivery' || what === 'outbox') && !seen.has(id)) {
			seen.add(id);
			const entries = readEntries(await redis.hgetall(key(`outbox:${id}`)));
			if (!(await lookAtDelivery(id, entries))) {
				lookAtEntries(id, entries);
			}
		} else if (what === 'session') {
			const share = sessionShare(id, person.id);
			if (share === 'alone') {
				hold('session', id, () => redis.unlink(full));
			} else if (share === 'group' || isNamed((await redis.get(full)) ?? '', person)) {
				keep('sessions that others share');
			}
		} else if (what === 'flood' && id.split(':').at(-1) === String(person.id)) {
			hold('flood counter', id, () => redis.unlink(full));
		}
	}

	if (await hasSeen(redis, tag, person.id)) {
		keep(
			'reactions to the bot and members of channels, by user ID: without them, the bot would handle old events again',
		);
	}

	for (const [field, json] of Object.entries(await redis.hgetall(key('questions')))) {
		if (field.startsWith(`${person.id} `) || JSON.parse(json).by?.id === person.id) {
			hold('question', field, () => redis.hdel(key('questions'), field));
		}
	}

	const crons = createCronStore(redis);
	for (const [id, {what}] of await crons.all(tag)) {
		const share = what.kind === 'send' ? shareIn(what.target, person) : 'none';
		if (share === 'alone') {
			hold('recurring message', id, () => crons.remove(tag, id));
		} else if (share === 'group') {
			keep('messages to several people');
		}
	}

	const storage: string[] = [];
	for (const [field, json] of Object.entries(await redis.hgetall(key('values')))) {
		if (storageKeys.includes(field)) {
			hold('storage key', field, () => redis.hdel(key('values'), field));
		} else if (isNamed(`${field} ${json}`, person)) {
			storage.push(field);
		}
	}

	return {holdings, kept, storage};
}

/** Who wrote the message that a delivery answers, or did what its event reports. Undefined if nobody did, or if this version cannot read the work. */
function senderOf(text: string): number | undefined {
	try {
		const work = readWork(text);
		return personOf(work) ?? answeredBy(work)?.message.sender_id;
	} catch {
		return undefined;
	}
}

/** Names of schedules by the entry that they name. */
function namesBySend(schedules: Record<string, string>): Map<string, string[]> {
	const names = new Map<string, string[]>();
	for (const [name, send] of Object.entries(schedules)) {
		names.set(send, [...(names.get(send) ?? []), name]);
	}

	return names;
}

function isUnderWay({state}: StoredEntry): boolean {
	return state.startsWith('sending');
}

type Share = 'alone' | 'group' | 'none';

/** Whether a message goes to the person. `target` is JSON text. */
function shareIn(target: string, {id, email}: Person): Share {
	const {dm = []} = target === '' ? {} : (JSON.parse(target) as {dm?: (number | string)[]});
	const isOne = dm.some(
		one => one === id || (email !== undefined && String(one).toLowerCase() === email.toLowerCase()),
	);
	return isOne ? (dm.length === 1 ? 'alone' : 'group') : 'none';
}

/** A direct conversation names everybody in it, the bot as well. */
function sessionShare(conversation: string, id: number): Share {
	const people = /^[\d,]+$/.test(conversation) ? conversation.split(',').map(Number) : [];
	if (conversation === `person ${id}` || (people.includes(id) && people.length <= 2)) {
		return 'alone';
	}

	return people.includes(id) ? 'group' : 'none';
}

function isNamed(text: string, {id, email}: Person): boolean {
	const isInText = email !== undefined && text.toLowerCase().includes(email.toLowerCase());
	return isInText || new RegExp(`(?<!\\d)${id}(?!\\d)`).test(text);
}
