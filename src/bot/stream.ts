// Text that grows in a message. What must stand in the end goes through the outbox, so a worker puts it there whatever becomes
// of this process; what is seen meanwhile is only shown.

import {createHash} from 'node:crypto';
import {wellFormed} from '../delivery/text.js';
import type {TextStream} from './handles.js';

/** What a stream does with its messages. */
export interface StreamHost {
	/** Whether its messages can be changed. */
	canGrow(): Promise<boolean>;
	/** Whether an earlier run may have written here: then only the end is shown, over whatever that one showed. */
	readonly isRerun: boolean;
	/** Posts a message; gives the id of the send. */
	open(text: string): Promise<string>;
	/** Has a worker give a message this text. */
	finish(send: string, text: string): Promise<void>;
	/** Gives a message this text now, unless it no longer has the one of that SHA-256. */
	show(send: string, text: string, beforeSha256: string): Promise<void>;
	readonly log: {warn(fields: object, message: string): void};
}

/** What a message shows before its text: the same in each run. */
const OPENING = '…';

const LONGEST_MESSAGE = 10_000;

/** Characters of one stream. */
const LONGEST_STREAM = 50 * LONGEST_MESSAGE;

/** Edits of one message are at least this far apart. */
const SHOW_EVERY_MS = 1_000;

/** `onOpen` is told of each stream that has something to end. */
export function createStream(host: StreamHost, onOpen: (end: () => Promise<void>) => void): TextStream {
	let text = '';
	/** What is in messages that are full. */
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

	/** Opens a message, and closes those that are full. */
	async function grow(): Promise<void> {
		canGrow ??= host.canGrow();
		if (rest().trim() === '' || !(await canGrow)) {
			return;
		}

		send ??= await host.open(OPENING);
		while (rest().length > LONGEST_MESSAGE) {
			await close(cutAt(rest()));
			// A message of nothing but spaces is none.
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
				// The end is shown all the same.
				isShowing = false;
				host.log.warn({reason: error.message}, 'a growing message could not be changed; it is completed in the end');
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

/** Where a message ends that takes no more: behind a line, else behind a word. */
function cutAt(text: string): number {
	if (text.length <= LONGEST_MESSAGE) {
		return text.length;
	}

	const head = text.slice(0, LONGEST_MESSAGE);
	const end = Math.max(head.lastIndexOf('\n'), head.lastIndexOf(' ')) + 1;
	// A pair of surrogates stays together.
	return end > LONGEST_MESSAGE / 2 ? end : LONGEST_MESSAGE - (/[\ud800-\udbff]$/.test(head) ? 1 : 0);
}

function sha256(text: string): string {
	return createHash('sha256').update(text).digest('hex');
}
