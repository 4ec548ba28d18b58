// Reads a narrow for fetching messages: each term becomes a condition in SQL.

import {mayReadHistory, maySeeChannel} from '../channels/access.js';
import {type ChannelRow, findChannel, findChannelByName} from '../channels/channels.js';
import {RealmError} from '../errors.js';
import {type Account, findAccount, findAccountByEmail} from '../people/accounts.js';
import type {Store} from '../store/store.js';
import {memberKey} from './conversations.js';
import {flagBits} from './flags.js';
import type {Condition} from './rows.js';
import {readTopic, topicKey} from './text.js';

export interface NarrowTerm {
	readonly operator: string;
	readonly operand: string | number | readonly number[];
	readonly negated: boolean;
}

export type WireTerm =
	| readonly [string, NarrowTerm['operand']]
	| {readonly operator: string; readonly operand: NarrowTerm['operand']; readonly negated?: boolean | undefined};

/** Old and plural names of operators. */
const synonyms: Readonly<Record<string, string>> = {
	stream: 'channel',
	'pm-with': 'dm',
	from: 'sender',
	subject: 'topic',
};

export function readTerms(terms: readonly WireTerm[]): NarrowTerm[] {
	return terms.map(term => {
		const {
			operator,
			operand,
			negated = false,
		} = 'operator' in term ? term : {operator: term[0], operand: term[1], negated: false};
		const isNegated = operator.startsWith('-');
		const name = isNegated ? operator.slice(1) : operator;

		return {operator: synonyms[name] ?? name, operand, negated: negated || isNegated};
	});
}

export function badNarrow(desc: string): RealmError {
	return new RealmError(`Invalid narrow operator: ${desc}`, 'BAD_NARROW', 400, {desc});
}

/** Conditions that all must hold; without a channel to read the history of, only what the reader received. */
export function narrowConditions(store: Store, reader: Account, terms: readonly NarrowTerm[]): Condition[] {
	const conditions = terms.map(term => {
		const {sql, values} = condition(store, reader, term);
		return term.negated ? {sql: `NOT coalesce((${sql}), 0)`, values} : {sql, values};
	});
	if (readsHistory(store, reader, terms)) {
		return conditions;
	}

	return [...conditions, {sql: 'um.user_id IS NOT NULL', values: []}];
}

function readsHistory(store: Store, reader: Account, terms: readonly NarrowTerm[]): boolean {
	if (terms.some(term => term.operator === 'is')) {
		return false;
	}

	return terms.some(term => {
		const channel = term.operator === 'channel' && !term.negated ? channelOf(store, term) : undefined;
		return channel !== undefined && mayReadHistory(store, reader, channel);
	});
}

function condition(store: Store, reader: Account, term: NarrowTerm): Condition {
	const read = operators[term.operator];
	if (!read) {
		throw badNarrow(`unknown operator ${term.operator}`);
	}

	return read(store, reader, term);
}

type ReadOperator = (store: Store, reader: Account, term: NarrowTerm) => Condition;

const operators: Readonly<Record<string, ReadOperator>> = {
	channel(store, reader, term) {
		const channel = channelOf(store, term);
		if (!channel || !maySeeChannel(store, reader, channel)) {
			throw badNarrow(`unknown channel ${term.operand}`);
		}

		return {sql: 'c.id = ?', values: [channel.id]};
	},

	topic(_store, _reader, {operand}) {
		const topic = topicKey(readTopic(text(operand)));
		return {sql: 'c.id IS NOT NULL AND m.topic_key = ?', values: [topic]};
	},

	dm(store, reader, {operand}) {
		const ids = peopleOf(store, operand).map(account => account.id);
		return {sql: 'r.member_ids = ?', values: [memberKey([reader.id, ...ids])]};
	},

	sender(store, _reader, {operand}) {
		return {sql: 'm.sender_id = ?', values: [personOf(store, operand).id]};
	},

	id(_store, _reader, {operand}) {
		const id = Number(operand);
		if (!Number.isSafeInteger(id) || operand === '') {
			throw badNarrow('Invalid message ID');
		}

		return {sql: 'm.id = ?', values: [id]};
	},

	// Moves the anchor in clients; it filters nothing.
	near: () => ({sql: '1', values: []}),

	is(_store, _reader, {operand}) {
		const sql = states[text(operand)];
		if (sql === undefined) {
			throw badNarrow(`unknown 'is' operand ${operand}`);
		}

		return {sql, values: []};
	},
};

const mentionBits = flagBits(['mentioned', 'stream_wildcard_mentioned', 'topic_wildcard_mentioned']);

const states: Readonly<Record<string, string>> = {
	dm: 'c.id IS NULL',
	private: 'c.id IS NULL',
	unread: `um.flags & ${flagBits(['read'])} = 0`,
	starred: `um.flags & ${flagBits(['starred'])} != 0`,
	mentioned: `um.flags & ${mentionBits} != 0`,
};

function channelOf(store: Store, {operand}: NarrowTerm): ChannelRow | undefined {
	if (typeof operand === 'number') {
		return findChannel(store, operand);
	}

	const byName = findChannelByName(store, text(operand));
	return byName ?? (/^\d+$/.test(text(operand)) ? findChannel(store, Number(operand)) : undefined);
}

function peopleOf(store: Store, operand: NarrowTerm['operand']): Account[] {
	if (typeof operand === 'object') {
		return operand.map(id => personOf(store, id));
	}

	return String(operand)
		.split(',')
		.map(one => personOf(store, one.trim()));
}

function personOf(store: Store, operand: NarrowTerm['operand']): Account {
	const isId = typeof operand === 'number' || /^\d+$/.test(String(operand));
	const account = isId ? findAccount(store, Number(operand)) : findAccountByEmail(store, String(operand));
	if (!account) {
		throw badNarrow(`unknown user ${operand}`);
	}

	return account;
}

function text(operand: NarrowTerm['operand']): string {
	if (typeof operand === 'object') {
		throw badNarrow('expected a text, got a list');
	}

	return String(operand);
}
