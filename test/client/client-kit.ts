// A client in front of a server that answers with literal bytes.

import type {ExecutionContext} from 'ava';
import {type ClientOptions, createClient} from '../../src/client/client.js';
import {startRawServer} from '../wire/raw-server.js';

/** Answers every request with the same bytes, or the n-th with what `answer(n)` says. */
export async function openClient(
	t: ExecutionContext,
	answer: string | ((n: number) => string),
	options: Partial<ClientOptions> = {},
) {
	const server = await startRawServer(t, answer);
	const client = createClient({
		site: server.url,
		email: 'echo-bot@chat.example.com',
		key: 'abcdefghijklmnopqrstuvwxyz012345',
		userAgent: 'Bothy/1.2.3',
		// Beside other tests a machine may stand still for long.
		timeoutMs: 60_000,
		...options,
	});
	t.teardown(() => client.close());
	return {client, server};
}

/** What stands in the n-th, the last one again and again. */
export function inTurn(...answers: readonly string[]): (n: number) => string {
	return n => answers[Math.min(n, answers.length) - 1] ?? '';
}
