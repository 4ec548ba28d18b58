// A client in front of a server that answers with literal bytes.

import {once} from 'node:events';
import {type AddressInfo, createServer, type Socket} from 'node:net';
import type {ExecutionContext} from 'ava';
import {type Client, type ClientOptions, createClient} from '../../src/client/client.js';
import {httpAnswer, startRawServer} from '../wire/kit/raw-server.js';

export const HELLO = {type: 'channel', to: 'general', topic: 'x', content: 'hello'} as const;

export const SENT = httpAnswer(
	'200 OK',
	'{"result":"success","msg":"","id":42,"ignored_parameters_unsupported":["a"]}\n',
);

export const ECHO = {
	email: 'echo-bot@chat.example.com',
	key: 'abcdefghijklmnopqrstuvwxyz012345',
	userAgent: 'Bothy/1.2.3',
	// A machine that runs other tests may stall for long.
	timeoutMs: 60_000,
};

interface Options extends Partial<ClientOptions> {
	/** Path prefix of the service. */
	readonly path?: string;
}

/** Answers every request with the same bytes, or the n-th with `answer(n)`. */
export async function openClient(
	t: ExecutionContext,
	answer: string | ((n: number) => string),
	{path = '', ...options}: Options = {},
) {
	const server = await startRawServer(t, answer);
	const client = createClient({...ECHO, site: server.url + path, ...options});
	t.teardown(() => client.close());
	return {client, server};
}

/** A client whose service runs `serve` on each connection once a request arrives. */
export async function openSocketClient(t: ExecutionContext, serve: (socket: Socket) => void): Promise<Client> {
	const server = createServer(socket => {
		socket.on('error', () => {});
		socket.once('data', () => serve(socket));
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const client = createClient({...ECHO, site: `http://127.0.0.1:${(server.address() as AddressInfo).port}`});
	t.teardown(async () => {
		await client.close();
		server.close();
	});
	return client;
}

/** Returns the n-th item; after the end, the last one. */
export function inTurn(...answers: readonly string[]): (n: number) => string {
	return n => answers[Math.min(n, answers.length) - 1] ?? '';
}
