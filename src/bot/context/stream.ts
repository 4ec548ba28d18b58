// Streams text into a message. The final text goes through the outbox, so a worker posts it even if this process dies. Edits in
// between only show progress.

import {createHash} from 'node:crypto';
import {wellFormed} from '../../delivery/text.js';
import type {TextStream} from './handles.js';

/** How a stream posts and edits its messages. */
export interface StreamHost {
	/** Whether its messages can be edited. */
	canGrow(): Promise<boolean>;
	/** Whether an earlier run may have written here. Then only the final text is shown, and it replaces the earlier one. */
	readonly isRerun: boolean;
	/** Posts a message; returns the ID of the send. */
	open(text: string): Promise<string>;
	/** Makes a worker set the final text of a message. */
	finish(send: string, text: string): Promise<void>;
	/** Sets the text of a message now, unless its current text has another SHA-256. */
	show(send: string, text: string, beforeSha256: string): Promise<void>;
	readonly log: {warn(fields: object, message: string): void};
}

/** The text that a message shows first. It is the same in each run. */
const OPENING = '…';

const LONGEST_MESSAGE = 10_000;

/** Limit for one stream, in characters. */
const LONGEST_STREAM = 50 * LONGEST_MESSAGE;

/** Minimum time between two edits of a message. */
const SHOW_EVERY_MS = 1_000;

/** Calls `onOpen` for each stream that must be ended. */
export function createStream(host: StreamHost, onOpen: (end: () => Promise<void>) => void): TextStream {
	let text = '';
	/** How many characters are in full messages. */
	let done = 0;
	let send: string | undefined;
	let shown = OPENING;
	let shownAt = Number.NEGATIVE_INFINITY;
	let isShowing = !host.isRerun;
	let showing = Promise.resolve();
	let timer: NodeJS.Timeout | undefined;
	let canGrow: Promise<boolean> | undefined;
	let ended: Promise<void> | undefined;
	let working: Promise<void> = Promise.resolve();

	const rest = () => wellFormed(text.slice(done));

	/** Opens the next message, and closes full ones. */
	async function grow(): Promise<void> {
		canGrow ??= host.canGrow();
		if (rest().trim() === '' || !(await canGrow)) {
			return;
		}

		send ??= await host.open(OPENING);
		while (rest().length > LONGEST_MESSAGE) {
			await close(cutAt(rest()));
			// The service refuses a message of spaces only.
			send = rest().trim() === '' ? undefined : await host.open(OPENING);
		}

		planShow();
	}

	async function close(length: number): Promise<void> {
		clearTimeout(timer);
		timer = undefined;
		await showing;
		if (send !== undefined) {
			await host.finish(send, rest().slice(0, length));
		}

		done += length;
		shown = OPENING;
		send = undefined;
	}

	function planShow(): void {
		if (isShowing && !timer) {
			timer = setTimeout(show, Math.max(0, shownAt + SHOW_EVERY_MS - performance.now()));
		}
	}

	function show(): void {
		const [message, next, before] = [send, rest().slice(0, LONGEST_MESSAGE), shown];
		timer = undefined;
		if (message === undefined || next === before || next.trim() === '') {
			return;
		}

		shown = next;
		showing = host.show(message, next, sha256(before)).then(
			() => {
				shownAt = performance.now();
			},
			(error: Error) => {
				// The final text is set in any case.
				isShowing = false;
				host.log.warn(
					{reason: error.message},
					'could not update the message of a stream; it gets the whole text at the end',
				);
			},
		);
		void showing.then(() => {
			if (rest() !== shown && send === message && ended === undefined) {
				planShow();
			}
		});
	}

	async function finish(): Promise<void> {
		await working;
		if (await canGrow) {
			if (send !== undefined) {
				await close(rest().length);
			}

			return;
		}

		while (rest().trim() !== '') {
			const length = cutAt(rest());
			await host.open(rest().slice(0, length));
			done += length;
		}
	}

	const stream = {
		get text() {
			return text;
		},
		async write(more: string) {
			if (typeof more !== 'string') {
				throw new TypeError(`Expected stream.write() with a text, got ${typeof more}`);
			}

			if (ended) {
				throw new Error('Expected stream.write() before stream.end()');
			}

			if (text.length + more.length > LONGEST_STREAM) {
				throw new RangeError(`Expected a stream of at most ${LONGEST_STREAM} characters`);
			}

			if (text === '') {
				onOpen(stream.end);
			}

			text += more;
			const grown = working.then(grow);
			working = grown.catch(() => {});
			await grown;
		},
		end() {
			ended ??= finish();
			return ended;
		},
	};
	return stream;
}

/** Where to split a full message: after a line break, or after a space. */
function cutAt(text: string): number {
	if (text.length <= LONGEST_MESSAGE) {
		return text.length;
	}

	const head = text.slice(0, LONGEST_MESSAGE);
	const end = Math.max(head.lastIndexOf('\n'), head.lastIndexOf(' ')) + 1;
	// Do not split a surrogate pair.
	return end > LONGEST_MESSAGE / 2 ? end : LONGEST_MESSAGE - (/[\ud800-\udbff]$/.test(head) ? 1 : 0);
}

function sha256(text: string): string {
	return createHash('sha256').update(text).digest('hex');
}
