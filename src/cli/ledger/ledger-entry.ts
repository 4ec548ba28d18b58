// Formats a delivery: as one line, as a page, or as JSON. The text of messages is shown only on request.

import type {Account} from '../../config/accounts.js';
import {SILENCE} from '../../delivery/answers.js';
import {isLost, type LedgerStatus, statusOf} from '../../delivery/ledger.js';
import type {LedgerEntry, StoredEntry} from '../../delivery/store.js';
import {describeWork, isOverheard, NewerWorkError, readWork, type Work} from '../../delivery/work.js';
import {isPending, readAttempt, readChange, readFailures} from '../../outbox/entry-state.js';
import {type Colour, type Paint, printable} from '../paint.js';
import {noteLines} from '../table.js';
import {shownTarget, targetOf} from './shown-target.js';
import {duration, isoTime, localTime, shortTime, zoneName} from './since.js';

const COLOURS: Record<LedgerStatus, Colour> = {
	running: 'cyan',
	held: 'cyan',
	done: 'green',
	parked: 'red',
	flood: 'yellow',
	failed: 'red',
};

export interface Shown {
	readonly account: Account;
	readonly entry: LedgerEntry;
}

const TIME_WIDTH = 14;
const ID_WIDTH = 20;

/** The header of `lineOf`, with the time zone. */
export function headerOf({nameWidth}: {nameWidth: number}): string {
	return [
		`ARRIVED ${zoneName()}`.padEnd(TIME_WIDTH),
		'BOT'.padEnd(nameWidth),
		'DELIVERY'.padEnd(ID_WIDTH),
		'STATUS'.padEnd(7),
		'ANSWER'.padEnd(6),
		'   TOOK',
	].join('  ');
}

/** One line with time, bot, id and result. An error follows below it. */
export function lineOf({account, entry}: Shown, {paint, nameWidth}: {paint: Paint; nameWidth: number}): string {
	const status = statusOf(entry);
	const columns = [
		shortTime(entry.arrivedAt),
		account.name.padEnd(nameWidth),
		entry.ref.id.padEnd(ID_WIDTH),
		paint(COLOURS[status], status.padEnd(7)),
		howAnswered(entry).padEnd(6),
		tookOf(entry).padStart(7),
	];
	return [columns.join('  ').trimEnd(), ...noteLines(remarksOf(entry)).map(note => paint('red', note))].join('\n');
}

/** `inline`: in the answer to the webhook. `late`: over the API. `silent`: no answer. */
function howAnswered({decision, answer}: LedgerEntry): string {
	if (decision === 'none') {
		return '-';
	}

	return decision === 'inline' && answer === SILENCE ? 'silent' : decision;
}

function tookOf({arrivedAt, endedAt}: LedgerEntry): string {
	return endedAt === undefined ? '-' : duration(endedAt - arrivedAt);
}

function countOf(count: number, what: string): string {
	return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function remarksOf({error, outbox, runs}: LedgerEntry): string[] {
	const waiting = outbox.filter(({state}) => isPending(state)).length;
	return [
		...(error?.split('\n', 1) ?? []),
		...outbox.filter(isLost).map(({state}) => `not posted: ${state}`),
		[runs > 1 ? countOf(runs, 'run') : '', waiting > 0 ? `${waiting} to be posted` : ''].filter(Boolean).join(', '),
	];
}

export interface PageOptions {
	readonly paint: Paint;
	readonly withText: boolean;
	readonly withPayload: boolean;
}

/** A page with all facts about one delivery. */
export function pageOf({account, entry}: Shown, {paint, withText, withPayload}: PageOptions): string {
	const status = statusOf(entry);
	const row = (title: string, text: string) => `${paint('dim', title.padEnd(10))} ${text}`;
	const rows = [
		row('Delivery', paint('bold', entry.ref.id)),
		row('Account', `${account.name} (${account.email}, ${account.site})`),
		row('Status', `${paint(COLOURS[status], status)}, ${ANSWERED[howAnswered(entry)] ?? ''}`),
		...workOf(entry).map(what => row('Work', printable(what))),
		row('Arrived', `${localTime(entry.arrivedAt)} ${zoneName()}`),
		row('Ended', endOf(entry)),
		row('Answer', printable(answerOf(entry, withText))),
		...entry.outbox.map(said => row(`Said ${said.n}`, printable(saidOf(said, withText)))),
		...(entry.error === undefined ? [] : [row('Error', indent(printable(entry.error)))]),
		...(withPayload ? [row('Payload', indent(printable(payloadText(entry, withText))))] : []),
	];
	return rows.join('\n');
}

/** The kind of work, unless somebody called the bot. */
function workOf(entry: LedgerEntry): string[] {
	const work = knownWork(entry);
	if (work === 'newer') {
		return ['of a newer version of Bothy'];
	}

	if (work?.kind === 'message') {
		return isOverheard(work.payload) ? [work.payload.trigger] : [];
	}

	return work ? [`${describeWork(work)}${isByHand(work) ? ', run by hand' : ''}`] : [];
}

function isByHand(work: Work): boolean {
	return (work.kind === 'cron' || work.kind === 'later') && work.byHand === true;
}

/** Undefined if the work was deleted or cannot be read. In the latter case, the ledger has an error. */
function knownWork({work}: LedgerEntry): Work | 'newer' | undefined {
	try {
		return work === undefined ? undefined : readWork(work);
	} catch (error) {
		return error instanceof NewerWorkError ? 'newer' : undefined;
	}
}

const ANSWERED: Record<string, string> = {
	inline: 'answered in the webhook',
	late: 'answered late, over the API',
	silent: 'nothing to say',
	'-': 'not answered yet',
};

function endOf(entry: LedgerEntry): string {
	const stops = entry.stops === 0 ? '' : `, ${entry.stops} of them interrupted by a stop`;
	const runs = `${countOf(entry.runs, 'run')}${stops}`;
	return entry.endedAt === undefined
		? `not yet (${runs})`
		: `${localTime(entry.endedAt)}, after ${tookOf(entry)} and ${runs}`;
}

function answerOf({answer}: LedgerEntry, withText: boolean): string {
	return answer === undefined ? '-' : JSON.stringify(hideText(JSON.parse(answer), withText));
}

function saidOf({kind, target, text, dueAt, byHand, state}: StoredEntry, withText: boolean): string {
	const where = target === '' ? '' : ` to ${shownTarget(target)}`;
	const when = dueAt === 0 ? '' : ` for ${localTime(dueAt)}${byHand ? ' (run by hand)' : ''}`;
	return `${kind}${where}${when}, ${stateText(state)}: ${shown(text, withText)}`;
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

function payloadText(entry: LedgerEntry, withText: boolean): string {
	const shown = payloadOf(entry);
	const missing = entry.work === undefined ? 'deleted (LEDGER_TEXT_HOURS)' : 'not readable by this version';
	return shown === undefined ? missing : JSON.stringify(hideText(shown, withText), null, 2);
}

/** The payload of a message, or the work that Bothy itself asked for. */
function payloadOf(entry: LedgerEntry): unknown {
	const work = knownWork(entry);
	if (work === 'newer') {
		return undefined;
	}

	return work?.kind === 'message' ? work.payload : work;
}

/** Indents all lines but the first. */
function indent(text: string): string {
	return text.replaceAll('\n', `\n${' '.repeat(11)}`);
}

/** One JSON object with everything that the page shows. */
export function jsonOf({account, entry}: Shown, {withText, whole}: {withText: boolean; whole: boolean}): string {
	const {answer} = entry;
	return JSON.stringify({
		bot: account.name,
		email: account.email,
		site: account.site,
		id: entry.ref.id,
		status: statusOf(entry),
		decision: entry.decision === 'none' ? 'none' : howAnswered(entry),
		runs: entry.runs,
		arrivedAt: isoTime(entry.arrivedAt),
		endedAt: isoTime(entry.endedAt),
		error: entry.error ?? null,
		answer: answer === undefined ? null : hideText(JSON.parse(answer), withText),
		outbox: entry.outbox.map(said => ({
			...said,
			target: targetOf(said.target),
			dueAt: isoTime(said.dueAt),
			text: shown(said.text, withText),
		})),
		...(whole ? {payload: hideText(payloadOf(entry) ?? null, withText)} : {}),
	});
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

/** Replaces people's and bots' text by its length. */
function hideText(value: unknown, withText: boolean): unknown {
	if (withText || typeof value !== 'object' || value === null) {
		return value;
	}

	if (Array.isArray(value)) {
		return value.map(item => hideText(item, withText));
	}

	return Object.fromEntries(
		Object.entries(value).map(([key, field]) => [
			key,
			TEXTS.has(key) && typeof field === 'string' ? shown(field, withText) : hideText(field, withText),
		]),
	);
}

export function shown(text: string, withText: boolean): string {
	return withText ? text : `<${countOf([...text].length, 'character')}>`;
}
