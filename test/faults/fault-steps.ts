// Where handlers tell how far they are, and may be struck.

import {once} from 'node:events';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {setTimeout as sleep} from 'node:timers/promises';
import type {Reaper} from './reaper.js';

export interface Strikes {
	readonly url: string;
	close(): Promise<void>;
}

const TIMEOUT_MS = 6_000;

export async function listenForSteps(reaper: Reaper): Promise<Strikes> {
	const seen = new Set<string>();
	const freezing = new Set<Promise<void>>();
	const takenOver = new Map<string, () => void>();

	const server = createServer(async (request, response) => {
		const query = new URL(request.url ?? '', 'http://suite').searchParams;
		const [token, step, pid] = [query.get('token') ?? '', query.get('step') ?? '', Number(query.get('pid'))];
		if (step === 'begin' || step === 'done') {
			reaper.noteRun({pid, token, isOver: step === 'done'});
			response.end('noted');
			return;
		}

		const isFirst = !seen.has(token);
		seen.add(token);
		if (isFirst && step === 'freeze') {
			const next = new Promise<void>(resolve => takenOver.set(token, resolve));
			response.end('first', () => freezing.add(reaper.freeze(pid, next)));
			return;
		}

		takenOver.get(token)?.();

		if (isFirst) {
			await killSoon(pid, `handler ${step}`);
		}

		response.end(isFirst ? 'first' : 'again');
	});

	/** Those that must be spared now may be struck in a moment. */
	async function killSoon(pid: number, why: string): Promise<void> {
		for (const until = performance.now() + TIMEOUT_MS; performance.now() < until; await sleep(100)) {
			if (reaper.kill(pid, why)) {
				return;
			}
		}
	}

	// A handler must not meet a connection that is being closed because it was idle.
	server.keepAliveTimeout = 0;
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		async close() {
			await Promise.all(freezing);
			server.closeAllConnections();
			server.close();
		},
	};
}
