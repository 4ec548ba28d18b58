// What commands and the console show of a delivery. The text of messages is hidden unless somebody asks for it.

import {SILENCE} from '../../delivery/answers.js';
import type {LedgerEntry, StoredEntry} from '../../delivery/store.js';
import {NewerWorkError, readWork, type Work} from '../../delivery/work.js';
import {readAttempt, readChange, readFailures} from '../../outbox/entry-state.js';

/** `inline`: in the answer to the webhook. `late`: over the API. `silent`: no answer. */
export function howAnswered({decision, answer}: LedgerEntry): string {
	if (decision === 'none') {
		return '-';
	}

	return decision === 'inline' && answer === SILENCE ? 'silent' : decision;
}

/** Undefined for what was dropped, and for what cannot be read. The latter is in the ledger with an error. */
export function knownWork({work}: LedgerEntry): Work | 'newer' | undefined {
	try {
		return work === undefined ? undefined : readWork(work);
	} catch (error) {
		return error instanceof NewerWorkError ? 'newer' : undefined;
	}
}

/** The stored state in words for people. */
export function stateText(state: StoredEntry['state']): string {
	if (readAttempt(state)) {
		return 'being posted, outcome unknown so far';
	}

	const change = readChange(state);
	if (change) {
		return change.kind === 'retracting' ? 'being cancelled' : 'being moved';
	}

	const {failures} = readFailures(state);
	return failures > 0 ? `retrying after ${countOf(failures, 'attempt')}` : state;
}

/** The payload of a message, or the work that Bothy itself asked for. */
export function payloadOf(entry: LedgerEntry): unknown {
	const work = knownWork(entry);
	if (work === 'newer') {
		return undefined;
	}

	return work?.kind === 'message' ? work.payload : work;
}

/** Fields of payloads and answers with people's or bots' text. */
const TEXTS = new Set([
	'data',
	'body',
	'text',
	'oldText',
	'newText',
	'content',
	'rendered_content',
	'prev_content',
	'prev_rendered_content',
	'widget_content',
]);

/** Replaces people's and bots' text by its length. What a bot stored for later (`data`) has a form of its own: all of it is text. */
export function hideText(value: unknown, withText: boolean): unknown {
	return withText ? value : hide(value, false);
}

function hide(value: unknown, isText: boolean): unknown {
	if (typeof value === 'string') {
		return isText ? shown(value, false) : value;
	}

	if (typeof value !== 'object' || value === null) {
		return value;
	}

	return Array.isArray(value)
		? value.map(item => hide(item, isText))
		: Object.fromEntries(Object.entries(value).map(([key, field]) => [key, hide(field, isText || TEXTS.has(key))]));
}

export function shown(text: string, withText: boolean): string {
	return withText ? text : `<${countOf([...text].length, 'character')}>`;
}

/** `1 delivery`, `2 deliveries`. */
export function countOf(count: number, what: string): string {
	const many = what.endsWith('y') ? `${what.slice(0, -1)}ies` : `${what}s`;
	return `${count} ${count === 1 ? what : many}`;
}
