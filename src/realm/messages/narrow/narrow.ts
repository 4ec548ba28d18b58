// Parses a narrow for fetching messages: each term becomes an SQL condition.

import {operandProblem} from '../../../api/messages/narrow.js';
import {mayReadHistory} from '../../channels/access.js';
import {badRequest, RealmError} from '../../errors.js';
import {type Account, isGuest, visitor} from '../../people/accounts.js';
import type {Store} from '../../store/store.js';
import {memberIdsOf} from '../conversations.js';
import {type Condition, type MessageRow, selectMessages} from '../rows.js';
import {badNarrow, channelOf, everything, type NarrowTerm, readMessageId, readTerm} from './narrow-terms.js';
import {searchWords} from './search.js';

export type WireTerm =
	| readonly [operator: string, operand: string]
	| {readonly operator: string; readonly operand: NarrowTerm['operand']; readonly negated?: boolean | undefined};

/** Old and plural names of operators. */
const synonyms: Readonly<Record<string, string>> = {
	stream: 'channel',
	streams: 'channels',
	'pm-with': 'dm',
	pm_with: 'dm',
	group_pm_with: 'group-pm-with',
};

export function readTerms(terms: readonly WireTerm[]): NarrowTerm[] {
	return terms.map(term => {
		const {operator, ...others} = readTermAsNamed(term);
		const problem = operandProblem(operator, others.operand);
		if (problem) {
			throw badRequest(problem);
		}

		return {operator: operatorName(operator), ...others};
	});
}

/** The term with its operator as the caller wrote it. */
export function readTermAsNamed(term: WireTerm): NarrowTerm {
	return 'operator' in term
		? {operator: term.operator, operand: term.operand, negated: term.negated ?? false}
		: {operator: term[0], operand: term[1], negated: false};
}

/** Today's name of an operator. */
function operatorName(name: string): string {
	return (Object.hasOwn(synonyms, name) ? synonyms[name] : undefined) ?? name;
}

/** Limit for terms: SQLite refuses expressions with a depth of a thousand. */
const MOST_CONDITIONS = 500;

/** Combines conditions with AND. Without a channel whose history is readable, only received messages match. */
export function narrowConditions(store: Store, reader: Account, wanted: readonly NarrowTerm[]): Condition[] {
	const terms = followMessage(store, reader, wanted);
	const checkKind = kindChecker();
	const conditions = terms.map(term => {
		checkKind(term);
		const condition = readTerm(store, reader, term);
		// Real servers search for the words of a negated search, too.
		const isNegated = term.negated && term.operator !== 'search' && condition !== everything;
		return isNegated ? {...condition, sql: `NOT coalesce((${condition.sql}), 0)`} : condition;
	});
	const size = conditions.reduce((sum, {values}) => sum + 1 + values.length, 0);
	if (size > MOST_CONDITIONS) {
		throw badNarrow('too many conditions');
	}

	if (readsHistory(store, reader, terms)) {
		return conditions;
	}

	return [...conditions, {sql: 'um.user_id IS NOT NULL', values: []}];
}

/** `with` means the current conversation of a message. If it is not readable, the other terms apply. */
function followMessage(store: Store, reader: Account, terms: readonly NarrowTerm[]): readonly NarrowTerm[] {
	const [follow, second] = terms.filter(term => term.operator === 'with');
	if (!follow) {
		return terms;
	}

	if (second) {
		const desc = "Duplicate 'with' operators.";
		throw new RealmError(`Invalid narrow operator combination: ${desc}`, 'BAD_NARROW', 400, {desc});
	}

	const others = terms.filter(term => term !== follow);
	if (!/^\d+$/.test(String(follow.operand))) {
		throw badNarrow("Invalid 'with' operator");
	}

	const conditions = [{sql: 'm.id = ?', values: [readMessageId(follow)]}];
	const [message] = selectMessages(store, reader, {conditions, limit: 1});
	if (message) {
		return [...others.filter(({operator}) => !['channel', 'topic', 'dm'].includes(operator)), ...placeOf(message)];
	}

	const operators = others.map(({operator}) => operator);
	if (!operators.includes('dm') && !(operators.includes('channel') && operators.includes('topic'))) {
		throw badNarrow("Invalid 'with' operator");
	}

	return others;
}

const ofChannels = ['channel', 'channels', 'topic'];
const ofDirectMessages = ['dm', 'dm-including', 'group-pm-with'];

/** Refuses what no message can be, at the term that makes it so. A message that is not direct is in a channel. */
function kindChecker(): (term: NarrowTerm) => void {
	const kinds = new Set<'channel' | 'direct'>();
	return ({operator, operand, negated}) => {
		const isDirect = operator === 'is' && (operand === 'dm' || operand === 'private');
		if ((ofChannels.includes(operator) && !negated) || (isDirect && negated)) {
			kinds.add('channel');
		} else if ((ofDirectMessages.includes(operator) || isDirect) && !negated) {
			kinds.add('direct');
		}

		if (kinds.size > 1) {
			throw badNarrow('No message can be both a channel message and direct message');
		}
	};
}

function placeOf({channel_id, topic, member_ids}: MessageRow): NarrowTerm[] {
	if (channel_id === null) {
		return [{operator: 'dm', operand: memberIdsOf(member_ids ?? ''), negated: false}];
	}

	return [
		{operator: 'channel', operand: channel_id, negated: false},
		{operator: 'topic', operand: topic, negated: false},
	];
}

/** Some terms depend on flags, so they match only received messages. */
function readsHistory(store: Store, reader: Account, terms: readonly NarrowTerm[]): boolean {
	if (terms.some(({operator, operand}) => operator === 'is' && operand !== 'resolved' && operand !== 'followed')) {
		return false;
	}

	return terms.some(term => {
		if (term.operator === 'channels') {
			const isOpen = reader.id === visitor.id || (term.operand === 'public' && !isGuest(reader));
			return isOpen && !term.negated;
		}

		const channel = term.operator === 'channel' && !term.negated ? channelOf(store, term) : undefined;
		return channel !== undefined && mayReadHistory(store, reader, channel);
	});
}

/** The search texts in a narrow. */
export function searchedWords(terms: readonly NarrowTerm[]): string[] {
	const searches = terms.filter(({operator}) => operator === 'search');
	return searches.flatMap(({operand}) => searchWords(String(operand)));
}
