// The end of a server's connections, where a request and a close may cross.

import {once} from 'node:events';
import {createServer} from 'node:http';
import {type AddressInfo, connect} from 'node:net';
import test from 'ava';
import {drainServer} from '../../src/receiver/drain.js';
import {until} from '../helpers/until.js';

const REQUEST = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
const IDLE_MS = 4_000;

test('a request that arrives while a busy process is about to close its idle connection is answered', async t => {
	const server = createServer((_, response) => response.end('here'));
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8');
	let answers = '';
	socket.on('data', (text: string) => {
		answers += text;
	});
	socket.on('error', () => {});
	socket.write(REQUEST);
	await until(() => answers.includes('here'));
	answers = '';

	const drained = drainServer(server, 10 * IDLE_MS);
	await until(() => !server.listening);
	// The process is stuck until the connection has been idle for long enough. In its next turn the request comes, then the close.
	setTimeout(() => setImmediate(() => socket.write(REQUEST)), 1);
	Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, IDLE_MS + 100);

	await until(() => socket.destroyed);
	await drained;
	t.regex(answers, /^HTTP\/1\.1 200 OK\r\n/);
});
