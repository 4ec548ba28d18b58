// Turns each operator of a narrow into an SQL condition (service-facts.md 5).

import {maySeeChannel} from '../../channels/access.js';
import {type ChannelRow, findChannel, findChannelByName} from '../../channels/channels.js';
import {RealmError} from '../../errors.js';
import {MAX_MESSAGE_LENGTH} from '../../organization.js';
import {type Account, findAccount, findByShownEmail, visitor} from '../../people/accounts.js';
import type {Store} from '../../store/store.js';
import {Policy} from '../../topics/policy.js';
import {memberKey} from '../conversations.js';
import {flagBits} from '../flags.js';
import type {Condition} from '../rows.js';
import {RESOLVED_PREFIX, topicKeys} from '../text.js';
import {searchWords} from './search.js';

export interface NarrowTerm {
	readonly operator: string;
	readonly operand: string | number | readonly number[];
	readonly negated: boolean;
}

export function badNarrow(desc: string): RealmError {
	return new RealmError(`Invalid narrow operator: ${desc}`, 'BAD_NARROW', 400, {desc});
}

/** Filters nothing, negated or not. */
export const everything: Condition = {sql: '1', values: []};

/** The condition of one term, as if it were not negated. */
export function readTerm(store: Store, reader: Account, term: NarrowTerm): Condition {
	const read = Object.hasOwn(operators, term.operator) ? operators[term.operator] : undefined;
	if (!read) {
		throw badNarrow(`unknown operator ${term.operator}`);
	}

	return read(store, reader, term);
}

type ReadOperator = (store: Store, reader: Account, term: NarrowTerm) => Condition;

const operators: Readonly<Record<string, ReadOperator>> = {
	channel(store, reader, term) {
		const channel = channelOf(store, term);
		// For an account that may not see the channel, the result is empty. Without login, the channel does not exist.
		if (!channel || (reader.id === visitor.id && !maySeeChannel(store, reader, channel))) {
			throw badNarrow(`unknown channel ${term.operand}`);
		}

		return {sql: 'c.id = ?', values: [channel.id]};
	},

	topic(_store, _reader, {operand}) {
		return {sql: 'c.id IS NOT NULL AND m.topic_key IN (?, ?)', values: topicKeys(text(operand))};
	},

	dm(store, reader, {operand}) {
		const ids = peopleOf(store, operand).map(account => account.id);
		if (ids.length === 0) {
			return {sql: '0', values: []};
		}

		return {sql: 'r.member_ids = ?', values: [memberKey([reader.id, ...ids])]};
	},

	sender(store, _reader, {operand}) {
		return {sql: 'm.sender_id = ?', values: [personOf(store, operand).id]};
	},

	'dm-including'(store, _reader, {operand}) {
		return includes(personOf(store, operand));
	},

	'group-pm-with'(store, _reader, {operand}) {
		const {sql, values} = includes(personOf(store, operand));
		return {sql: `${sql} AND r.member_ids LIKE '%,%,%'`, values};
	},

	channels(_store, _reader, {operand}) {
		return {sql: pick(channelKinds, 'channels', operand), values: []};
	},

	mentions(store, _reader, {operand}) {
		const pattern = `%<span class="user-mention" data-user-id="${personOf(store, operand).id}">%`;
		return {sql: 'm.rendered_content LIKE ?', values: [pattern]};
	},

	id: (_store, _reader, term) => ({sql: 'm.id = ?', values: [readMessageId(term)]}),

	search(_store, _reader, {operand}) {
		const words = searchWords(text(operand));
		// SQLite refuses patterns of 50,000 bytes, and no message contains such a word.
		if (words.some(word => [...word].length > MAX_MESSAGE_LENGTH)) {
			throw badNarrow('a word is too long to be found');
		}

		const patterns = words.map(word => `%${word.replace(/[\\%_]/g, '\\$&')}%`);
		const sql = patterns.map(() => String.raw`(m.content LIKE ? ESCAPE '\' OR m.topic LIKE ? ESCAPE '\')`);
		return {sql: sql.join(' AND ') || '1', values: patterns.flatMap(pattern => [pattern, pattern])};
	},

	has(_store, _reader, {operand}) {
		return {sql: pick(contents, 'has', operand), values: []};
	},

	in(store, reader, {operand}) {
		const sql = pick(views, 'in', operand);
		return operand === 'all' || !mutesAnything(store, reader) ? everything : {sql, values: []};
	},

	// Moves the anchor in clients.
	near: () => everything,

	is(_store, _reader, {operand}) {
		return {sql: pick(states, 'is', operand), values: []};
	},
};

const mentionBits = flagBits(['mentioned', 'stream_wildcard_mentioned', 'topic_wildcard_mentioned']);

/** A muted channel mutes its topics, except those that the reader has unmuted or follows. */
const isMuted = `coalesce(ut.visibility_policy, sub.is_muted, 0) = ${Policy.muted}`;

/** Unread messages that nobody is led to: within a channel its own muting does not count. */
export function isHiddenUnread(terms: readonly NarrowTerm[]): Condition {
	const isInChannel = terms.some(({operator}) => operator === 'channel');
	return {sql: isInChannel ? `coalesce(ut.visibility_policy, 0) = ${Policy.muted}` : isMuted, values: []};
}

function mutesAnything(store: Store, {id}: Account): boolean {
	const sql = `SELECT 1 AS found FROM subscriptions WHERE user_id = ? AND is_muted
		UNION ALL SELECT 1 FROM user_topics WHERE user_id = ? AND visibility_policy = ? LIMIT 1`;
	return store.get(sql, id, id, Policy.muted) !== undefined;
}

const states: Readonly<Record<string, string>> = {
	dm: 'c.id IS NULL',
	private: 'c.id IS NULL',
	unread: `um.flags & ${flagBits(['read'])} = 0`,
	starred: `um.flags & ${flagBits(['starred'])} != 0`,
	alerted: `um.flags & ${flagBits(['has_alert_word'])} != 0`,
	mentioned: `um.flags & ${mentionBits} != 0`,
	resolved: `c.id IS NOT NULL AND m.topic LIKE '${RESOLVED_PREFIX}%'`,
	followed: `ut.visibility_policy = ${Policy.followed}`,
	muted: isMuted,
};

const channelKinds: Readonly<Record<string, string>> = {
	public: 'NOT c.invite_only',
	'web-public': 'c.is_web_public',
	archived: 'c.is_archived',
};

const imageTypes = ['png', 'jpg', 'jpeg', 'gif', 'webp', 'bmp'];

const contents: Readonly<Record<string, string>> = {
	link: `m.rendered_content LIKE '%<a href="%'`,
	image: imageTypes.map(type => `m.rendered_content LIKE '%<a href="%.${type}"%'`).join(' OR '),
	attachment: `m.rendered_content LIKE '%<a href="%/user_uploads/%'`,
	reaction: 'EXISTS (SELECT 1 FROM reactions x WHERE x.message_id = m.id)',
};

/** What is muted is not at home. */
const views: Readonly<Record<string, string>> = {home: `NOT (${isMuted})`, all: everything.sql};

function pick(table: Readonly<Record<string, string>>, operator: string, operand: NarrowTerm['operand']): string {
	const wanted = text(operand);
	const sql = Object.hasOwn(table, wanted) ? table[wanted] : undefined;
	if (sql === undefined) {
		const name = operator === 'channels' ? operator : `'${operator}'`;
		throw badNarrow(`unknown ${name} operand ${operand}`);
	}

	return sql;
}

function includes({id}: Account): Condition {
	return {sql: "',' || r.member_ids || ',' LIKE ?", values: [`%,${id},%`]};
}

const MAX_MESSAGE_ID = 2 ** 31 - 1;

/** The operand as the ID of a message. */
export function readMessageId({operand}: NarrowTerm): number {
	const id = Number(operand);
	if (!/^\d+$/.test(String(operand)) || id > MAX_MESSAGE_ID) {
		throw badNarrow('Invalid message ID');
	}

	return id;
}

export function channelOf(store: Store, {operand}: NarrowTerm): ChannelRow | undefined {
	if (typeof operand === 'number') {
		return findChannel(store, operand);
	}

	return findChannelByName(store, text(operand));
}

/** IDs in a list, or emails with commas between them. */
export function peopleOf(store: Store, operand: NarrowTerm['operand']): Account[] {
	const named = typeof operand === 'object' ? operand : String(operand).split(',');
	return named.map(one => {
		const account = findPerson(store, typeof one === 'string' ? one.trim() : one);
		if (!account) {
			throw badNarrow(`unknown user in ${typeof operand === 'object' ? `[${operand.join(', ')}]` : operand}`);
		}

		return account;
	});
}

function personOf(store: Store, operand: NarrowTerm['operand']): Account {
	const account = findPerson(store, operand);
	if (!account) {
		throw badNarrow(`unknown user ${operand}`);
	}

	return account;
}

function findPerson(store: Store, operand: NarrowTerm['operand']): Account | undefined {
	return typeof operand === 'number' ? findAccount(store, operand) : findByShownEmail(store, String(operand));
}

function text(operand: NarrowTerm['operand']): string {
	if (typeof operand === 'object') {
		throw badNarrow('expected a text, got a list');
	}

	return String(operand);
}
