// Formats a delivery: as one line, as a page, or as JSON. The text of messages is shown only on request.

import type {Account} from '../../config/accounts.js';
import {isLost, type LedgerStatus, statusOf} from '../../delivery/ledger.js';
import type {LedgerEntry, StoredEntry} from '../../delivery/store.js';
import {describeWork, isOverheard, type Work} from '../../delivery/work.js';
import {duration} from '../../host/duration.js';
import {countOf, hideText, howAnswered, knownWork, payloadOf, shown, stateText} from '../../host/ledger/shown.js';
import {shownTarget, targetOf} from '../../host/ledger/shown-target.js';
import {isPending} from '../../outbox/entry-state.js';
import {type Colour, type Paint, printable} from '../paint.js';
import {noteLines} from '../table.js';
import {isoTime, localTime, shortTime, zoneName} from './since.js';

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

export interface LineOptions {
	readonly paint: Paint;
	readonly nameWidth: number;
	readonly withText?: boolean;
}

/** One line with time, bot, id and result. Texts, with `withText`, and an error follow below it. */
export function lineOf({account, entry}: Shown, {paint, nameWidth, withText = false}: LineOptions): string {
	const status = statusOf(entry);
	const columns = [
		shortTime(entry.arrivedAt),
		account.name.padEnd(nameWidth),
		entry.ref.id.padEnd(ID_WIDTH),
		paint(COLOURS[status], status.padEnd(7)),
		howAnswered(entry).padEnd(6),
		tookOf(entry).padStart(7),
	];
	const texts = withText ? noteLines(textsOf(entry)) : [];
	const remarks = noteLines(remarksOf(entry)).map(note => paint('red', note));
	return [columns.join('  ').trimEnd(), ...texts, ...remarks].join('\n');
}

/** What the person wrote, and what the bot said. */
function textsOf(entry: LedgerEntry): string[] {
	const work = knownWork(entry);
	const heard = work !== 'newer' && work?.kind === 'message' ? [`> ${work.payload.data}`] : [];
	const {content} = JSON.parse(entry.answer ?? '{}') as {content?: unknown};
	const said = entry.outbox.flatMap(({kind, text}) => (kind === 'later' ? [] : [text]));
	return [...heard, ...(typeof content === 'string' ? [content] : []), ...said];
}

function tookOf({arrivedAt, endedAt}: LedgerEntry): string {
	return endedAt === undefined ? '-' : duration(endedAt - arrivedAt);
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

const ANSWERED: Record<string, string> = {
	inline: 'answered in the webhook',
	late: 'answered late, over the API',
	silent: 'nothing to say',
	'-': 'not answered yet',
};

function endOf(entry: LedgerEntry): string {
	const stops = entry.stops === 0 ? '' : `, ${entry.stops} of them interrupted`;
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

function payloadText(entry: LedgerEntry, withText: boolean): string {
	const shown = payloadOf(entry);
	const missing = entry.work === undefined ? 'deleted (LEDGER_TEXT_HOURS)' : 'not readable by this version';
	return shown === undefined ? missing : JSON.stringify(hideText(shown, withText), null, 2);
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
