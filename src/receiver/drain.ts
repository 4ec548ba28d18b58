// Ends an HTTP server without breaking a request that is on its way.

import type {Server} from 'node:http';
import {Server as NetServer} from 'node:net';
import {setImmediate as nextTurn} from 'node:timers/promises';

/** How long a kept-alive connection may wait for its next request. */
const IDLE_MS = 4_000;

/** A turn of the event loop in which next to nothing happens is shorter than this. */
const SHORT_TURN_MS = 0.2;

/** How much CPU time the wait for such a turn may take. A process that gets little of it accepts as many connections. */
const MOST_ACCEPTING_CPU_MS = 2_000;

/** Accepts no new connections. Resolves when those that are open have ended. Ends the last ones after `graceMs`. */
export async function drainServer(server: Server, graceMs: number): Promise<void> {
	const endsAt = performance.now() + graceMs;
	await acceptWaiting(server, graceMs);
	const leftMs = Math.max(0, endsAt - performance.now());
	// An HTTP server's own `close` ends idle connections at once, and forgets slow ones.
	const closed = new Promise<void>(resolve => NetServer.prototype.close.call(server, () => resolve()));
	// If a connection is closed while idle, a request may already be on its way. So the server first reads what has arrived.
	const closeIdle = async () => {
		await nextTurn();
		// In a busy process, that turn may have been a long one.
		await nextTurn();
		server.closeIdleConnections();
	};
	const idle = setTimeout(closeIdle, Math.min(IDLE_MS, leftMs));
	const rest = setTimeout(() => server.closeAllConnections(), leftMs);
	await closed;
	clearTimeout(idle);
	clearTimeout(rest);
}

/**
 * When the last process closes the socket, the system resets connections that nobody has accepted. So this resolves right after a
 * turn of the event loop that found none and did little else.
 */
async function acceptWaiting(server: Server, limitMs: number): Promise<void> {
	const endsAt = performance.now() + limitMs;
	let isQuiet = false;
	const accept = () => {
		isQuiet = false;
	};
	server.on('connection', accept);
	// The rest of this turn accepts nothing.
	await nextTurn();
	const used = process.cpuUsage();
	while (!isQuiet && performance.now() < endsAt && cpuMsSince(used) < MOST_ACCEPTING_CPU_MS) {
		const since = performance.now();
		isQuiet = true;
		await nextTurn();
		isQuiet &&= performance.now() - since < SHORT_TURN_MS;
	}

	server.off('connection', accept);
}

function cpuMsSince(used: NodeJS.CpuUsage): number {
	const {user, system} = process.cpuUsage(used);
	return (user + system) / 1000;
}
