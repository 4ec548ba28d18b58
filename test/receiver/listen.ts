import {once} from 'node:events';
import type {Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import type {Scope} from '../helpers/bothy.js';

/** Listens on a free port until the test ends. */
export async function listen(t: Scope, server: Server): Promise<number> {
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	t.teardown(() => {
		server.closeAllConnections();
		server.close();
	});
	return (server.address() as AddressInfo).port;
}
