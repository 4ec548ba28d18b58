import {badRequest} from '../errors.js';
import {handler} from '../http/handler.js';
import {flagBits} from '../messages/flags.js';
import {narrowConditions, readTerms, searchedWords, type WireTerm} from '../messages/narrow.js';
import {type Presentation, presentForReader} from '../messages/present.js';
import {type Condition, type MessageRow, selectMessages} from '../messages/rows.js';
import {presentMatches} from '../messages/search.js';
import {type Account, visitor} from '../people/accounts.js';
import type {Store} from '../store/store.js';

const MOST_MESSAGES = 5000;

/** Anchor that is newer than every message. */
const NEWEST = 10_000_000_000_000_000;

export const getMessages = handler(
	'getMessages',
	({services: {store}, caller, parameters}) => {
		const reader = caller ?? visitor;
		const how: Presentation = {
			applyMarkdown: parameters.apply_markdown,
			allowEmptyTopicName: parameters.allow_empty_topic_name,
			clientGravatar: parameters.client_gravatar,
			withoutLogin: !caller,
		};
		const present = (row: MessageRow) => presentForReader(store, row, how);
		const {message_ids: ids, anchor} = parameters;
		if (ids) {
			return {messages: selectById(store, reader, ids).map(present), history_limited: false};
		}

		if (anchor === undefined) {
			throw badRequest("Missing 'anchor' argument.");
		}

		const {rows, ...found} = selectAround(store, reader, {...parameters, anchor});
		const words = searchedWords(readTerms(parameters.narrow));
		const matches = (row: MessageRow) => (words.length > 0 ? presentMatches(row, words, how) : {});
		return {messages: rows.map(row => ({...present(row), ...matches(row)})), ...found, history_limited: false};
	},
	['anchor'],
);

function selectById(store: Store, reader: Account, ids: readonly number[]): MessageRow[] {
	checkCount(ids.length);
	const marks = ids.map(() => '?').join(', ');
	return selectMessages(store, reader, {conditions: [{sql: `m.id IN (${marks})`, values: ids}], limit: ids.length});
}

interface Range {
	readonly anchor: string;
	readonly include_anchor: boolean;
	readonly num_before: number;
	readonly num_after: number;
	readonly narrow: readonly WireTerm[];
}

function selectAround(store: Store, reader: Account, range: Range) {
	checkCount(range.num_before + range.num_after);
	const narrow = narrowConditions(store, reader, readTerms(range.narrow));
	const select = (condition: Condition, limit: number, newestFirst = false) =>
		limit > 0 ? selectMessages(store, reader, {conditions: [...narrow, condition], limit, newestFirst}) : [];
	const anchor = readAnchor(range.anchor, () => {
		const [first] = select({sql: `um.flags & ${flagBits(['read'])} = 0`, values: []}, 1);
		return first?.id ?? NEWEST;
	});

	const before = select({sql: 'm.id < ?', values: [anchor]}, range.num_before, true).reverse();
	const at = range.include_anchor ? select({sql: 'm.id = ?', values: [anchor]}, 1) : [];
	const after = select({sql: 'm.id > ?', values: [anchor]}, range.num_after);

	return {
		rows: [...before, ...at, ...after],
		anchor,
		found_anchor: at.length === 1,
		found_oldest: anchor <= 0 || before.length < range.num_before,
		found_newest: anchor >= NEWEST || after.length < range.num_after,
	};
}

function readAnchor(anchor: string, firstUnread: () => number): number {
	switch (anchor) {
		case 'newest':
			return NEWEST;
		case 'oldest':
			return 0;
		case 'first_unread':
			return firstUnread();
		default:
			if (!/^-?\d+$/.test(anchor)) {
				throw badRequest('Invalid anchor');
			}

			return Math.min(Math.max(Number(anchor), 0), NEWEST);
	}
}

function checkCount(count: number): void {
	if (count > MOST_MESSAGES) {
		throw badRequest(`Too many messages requested (maximum ${MOST_MESSAGES}).`);
	}
}
