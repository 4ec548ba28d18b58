// One delivery with everything that is stored of it, for the page's timeline.

import {isOpen, statusOf} from '../delivery/ledger.js';
import type {RedisStore} from '../delivery/redis-store.js';
import type {DeliveryRef} from '../delivery/ref.js';
import {nextReplay} from '../delivery/replay.js';
import type {LedgerEntry, StoredEntry} from '../delivery/store.js';
import {describeWork} from '../delivery/work.js';
import {hideText, howAnswered, knownWork, payloadOf, shown, stateText} from '../host/ledger/shown.js';
import {shownTarget} from '../host/ledger/shown-target.js';
import {isIdle, isUnsettled} from '../outbox/entry-state.js';

/** Longer payloads are cut, so that the page stays fast. */
const LONGEST_PAYLOAD = 20_000;

/** `withText` shows what people and bots wrote. Undefined if there is no such delivery. */
export async function readDetails(store: RedisStore, ref: DeliveryRef, {withText}: {withText: boolean}) {
	const [entry, replayed] = await Promise.all([store.read(ref), store.read(nextReplay(ref))]);
	return entry && {...describe(entry, withText), replay: replayed?.ref.id};
}

function describe(entry: LedgerEntry, withText: boolean) {
	const {answer, work} = entry;
	const payload = payloadOf(entry);
	const known = knownWork(entry);
	return {
		account: entry.ref.account,
		id: entry.ref.id,
		status: statusOf(entry),
		answered: howAnswered(entry),
		isOpen: isOpen(entry),
		hasText: work !== undefined,
		/** The handler has ended, and its text is still there. */
		canReplay: work !== undefined && entry.status !== 'running',
		work: known === undefined || known === 'newer' ? undefined : describeWork(known),
		runs: entry.runs,
		stops: entry.stops,
		arrivedAt: entry.arrivedAt,
		endedAt: entry.endedAt,
		error: entry.error,
		answer: answer === undefined ? undefined : JSON.stringify(hideText(JSON.parse(answer), withText)),
		payload:
			payload === undefined
				? undefined
				: JSON.stringify(hideText(payload, withText), undefined, 2).slice(0, LONGEST_PAYLOAD),
		sends: entry.outbox.map(said => describeSend(said, withText)),
	};
}

function describeSend({n, kind, target, text, dueAt, state, name}: StoredEntry, withText: boolean) {
	return {
		n,
		kind,
		target: shownTarget(target),
		text: shown(text, withText),
		dueAt,
		name,
		state: stateText(state),
		canResolve: isUnsettled(state),
		canCancel: isIdle(state),
	};
}
