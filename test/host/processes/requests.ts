// Requests like the service's, each on its own connection.

import {type IncomingMessage, request} from 'node:http';
import {text} from 'node:stream/consumers';
import {setTimeout as sleep} from 'node:timers/promises';
import type {Introduction} from './small-receiver.js';

/** Delay between two requests of one client. Without it, they would slow the start of the receivers that they wait for. */
const PAUSE_MS = 20;

/** Resolves once the headers are there. */
export function openAnswer(url: string): Promise<IncomingMessage> {
	return new Promise((resolve, reject) => {
		request(url, {agent: false}).on('response', resolve).on('error', reject).end();
	});
}

export async function ask(url: string): Promise<Introduction> {
	return JSON.parse(await text(await openAnswer(url)));
}

/** Retries until an answer matches. A killed receiver breaks its connections; nothing else may fail. */
export async function askUntil(url: string, fits: (introduction: Introduction) => boolean): Promise<Introduction> {
	const asking = new AbortController();
	async function askOn(): Promise<Introduction> {
		for (;;) {
			const introduction = await ask(url).catch(passBroken);
			if (introduction && fits(introduction)) {
				asking.abort();
				return introduction;
			}

			asking.signal.throwIfAborted();
			await sleep(PAUSE_MS);
		}
	}

	// Several at once, so that every receiver gets some.
	return await Promise.any(Array.from({length: 4}, askOn));
}

export interface Steady {
	/** Ends the requests. Resolves with the number of answers, and the error codes of failed requests. */
	stop(): Promise<{answered: number; failures: readonly (string | undefined)[]}>;
}

/** Eight requests at any time. */
export function askSteadily(url: string): Steady {
	let isStopped = false;
	let answered = 0;
	const failures: (string | undefined)[] = [];
	async function askOn(): Promise<void> {
		while (!isStopped) {
			try {
				await ask(url);
				answered += 1;
			} catch (error) {
				failures.push((error as NodeJS.ErrnoException).code);
			}

			await sleep(PAUSE_MS);
		}
	}

	const asking = Promise.all(Array.from({length: 8}, askOn));
	return {
		async stop() {
			isStopped = true;
			await asking;
			return {answered, failures};
		},
	};
}

function passBroken(error: NodeJS.ErrnoException): undefined {
	if (error.code !== 'ECONNRESET') {
		throw error;
	}
}
