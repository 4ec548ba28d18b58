// A port for a server that comes back to it.

import {randomInt} from 'node:crypto';
import {once} from 'node:events';
import {createServer} from 'node:net';

export async function freePort(): Promise<number> {
	for (;;) {
		// Below those that systems give to connections: one of these stays free until somebody listens on it.
		const port = randomInt(20_000, 32_000);
		const server = createServer().listen(port, '127.0.0.1');
		const isFree = await once(server, 'listening').then(
			() => true,
			() => false,
		);
		if (isFree) {
			server.close();
			await once(server, 'close');
			return port;
		}
	}
}
