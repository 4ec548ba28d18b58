// HTTP connections within the process, without a port.

import type {Server} from 'node:http';
import {type Duplex, duplexPair} from 'node:stream';
import {Pool} from 'undici';

/** Connects to a server that does not listen. Returns the caller's end. */
export function connectTo(server: Server): Duplex {
	const [ours, theirs] = duplexPair();
	// As with a socket, if one side hangs up, the other side notices.
	ours.on('close', () => theirs.destroy());
	theirs.on('close', () => ours.destroy());
	server.emit('connection', theirs);
	return ours;
}

/** Without a number of `connections`, concurrent calls use separate connections. */
export function createLocalPool(server: Server, site: string, connections?: number): Pool {
	return new Pool(site, {
		connections: connections ?? null,
		allowH2: false,
		connect(_, connected) {
			// undici expects a connection only in a later tick. Of a socket, it uses only what a duplex stream has.
			process.nextTick(() => connected(null, connectTo(server) as Parameters<typeof connected>[1] & Duplex));
		},
	});
}
