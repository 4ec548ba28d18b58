// Connections that stay inside the process: HTTP as it is, without a port.

import type {Server} from 'node:http';
import {type Duplex, duplexPair} from 'node:stream';
import {Pool} from 'undici';

/** Connects to a server that listens nowhere; answers the caller's end. */
export function connectTo(server: Server): Duplex {
	const [ours, theirs] = duplexPair();
	// As with a socket, who hangs up is noticed on the other side.
	ours.on('close', () => theirs.destroy());
	theirs.on('close', () => ours.destroy());
	server.emit('connection', theirs);
	return ours;
}

/** Without a number of `connections` every call that follows another at once has one of its own. */
export function createLocalPool(server: Server, site: string, connections?: number): Pool {
	return new Pool(site, {
		connections: connections ?? null,
		allowH2: false,
		connect(_, connected) {
			// Undici expects the connection later than it asks for it. A pair of streams does all that it asks of a socket.
			process.nextTick(() => connected(null, connectTo(server) as Parameters<typeof connected>[1] & Duplex));
		},
	});
}
