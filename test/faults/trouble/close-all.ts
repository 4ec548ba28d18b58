import {once} from 'node:events';
import type {Server, Socket} from 'node:net';

/** Closes a server with its connections. */
export async function closeAll(server: Server, clients: Iterable<Socket>): Promise<void> {
	const closed = once(server, 'close');
	server.close();
	for (const client of clients) {
		client.destroy();
	}

	await closed;
}
