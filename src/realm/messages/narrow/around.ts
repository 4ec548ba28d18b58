// Finds messages on both sides of an anchor (service-facts.md 5).

import {badRequest} from '../../errors.js';
import type {Account} from '../../people/accounts.js';
import type {Store} from '../../store/store.js';
import {flagBits} from '../flags.js';
import {type Condition, selectMessages} from '../rows.js';
import {narrowConditions, readTerms, type WireTerm} from './narrow.js';
import {isHiddenUnread} from './narrow-terms.js';

const MOST_MESSAGES = 5000;

/** An anchor after every message. */
const NEWEST = 10_000_000_000_000_000;

export interface Range {
	readonly anchor: string;
	readonly include_anchor: boolean;
	readonly num_before: number;
	readonly num_after: number;
	readonly narrow: readonly WireTerm[] | null;
}

export function selectAround(store: Store, reader: Account, range: Range) {
	const place = readAnchor(range.anchor);
	if (!range.include_anchor && range.num_before > 0 && range.num_after > 0) {
		throw badRequest('The anchor can only be excluded at an end of the range');
	}

	const includesAnchor = range.include_anchor || (range.num_before === 0 && range.num_after === 0);
	const terms = readTerms(range.narrow ?? []);
	const narrow = narrowConditions(store, reader, terms);
	const select = (condition: Condition, limit: number, newestFirst = false) =>
		limit > 0 ? selectMessages(store, reader, {conditions: [...narrow, condition], limit, newestFirst}) : [];
	const firstUnread = () => {
		const {sql, values} = isHiddenUnread(terms);
		const [first] = select({sql: `um.flags & ${flagBits(['read'])} = 0 AND NOT (${sql})`, values}, 1);
		return first?.id ?? NEWEST;
	};
	const anchor = place === 'first_unread' ? firstUnread() : place;

	const before = select({sql: 'm.id < ?', values: [anchor]}, range.num_before, true).reverse();
	const at = includesAnchor ? select({sql: 'm.id = ?', values: [anchor]}, 1) : [];
	const after = select({sql: 'm.id > ?', values: [anchor]}, range.num_after);

	return {
		rows: [...before, ...at, ...after],
		anchor,
		found_anchor: at.length === 1,
		found_oldest: anchor <= 0 || before.length < range.num_before,
		found_newest: anchor >= NEWEST || after.length < range.num_after,
	};
}

export function readAnchor(anchor: string): number | 'first_unread' {
	switch (anchor) {
		case 'newest':
			return NEWEST;
		case 'oldest':
			return 0;
		case 'first_unread':
			return anchor;
		default:
			// What Python reads as an integer.
			if (!/^\s*[+-]?\d+(_\d+)*\s*$/.test(anchor)) {
				throw badRequest('Invalid anchor');
			}

			return Math.min(Math.max(Number(anchor.replaceAll('_', '')), 0), NEWEST);
	}
}

export function checkCount(count: number): void {
	if (count > MOST_MESSAGES) {
		throw badRequest(`Too many messages requested (maximum ${MOST_MESSAGES}).`);
	}
}
