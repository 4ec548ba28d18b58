// What stands between a service and several hosts: connections that are kept or fresh, a host that refuses a connection
// left out for a while, and nothing sent twice. A reverse proxy does so by default; so does a client that finds several
// addresses for one name.

import {once} from 'node:events';
import {Agent, createServer, type IncomingMessage, request} from 'node:http';
import type {AddressInfo} from 'node:net';
import {buffer} from 'node:stream/consumers';
import {setImmediate} from 'node:timers/promises';

export interface Answer {
	readonly status: number;
	readonly body: Buffer;
}

/** Posts a body to a host that takes connections; rejects when the connection breaks later, as nobody may repeat a post. */
export interface Way {
	post(path: string, body: Buffer): Promise<Answer>;
	close(): void;
}

interface WayOptions {
	/** Ports of the hosts. */
	readonly ports: readonly number[];
	readonly keepsAlive: boolean;
	/** How long a host that refused a connection gets no others, in milliseconds. */
	readonly leavesOutMs: number;
}

export function openWay({ports, keepsAlive, leavesOutMs}: WayOptions): Way {
	// Hosts keep idle connections longer than this.
	const agent = new Agent({keepAlive: keepsAlive, maxFreeSockets: 32, timeout: 60_000});
	const refusedAt = new Map<number, number>();
	let turn = 0;

	function inOrder(): number[] {
		const first = turn++;
		const order = ports.map((_, index) => ports[(first + index) % ports.length] ?? 0);
		const isLeftOut = (port: number) => performance.now() - (refusedAt.get(port) ?? -Infinity) < leavesOutMs;
		return [...order.filter(port => !isLeftOut(port)), ...order.filter(isLeftOut)];
	}

	return {
		async post(path, body) {
			// Lets the agent notice closed connections first, as a real proxy does.
			await setImmediate();
			for (const port of inOrder()) {
				const answer = await postTo({agent, port, path, body});
				if (answer !== 'refused') {
					return answer;
				}

				refusedAt.set(port, performance.now());
			}

			throw new Error('no host took a connection');
		},
		close: () => agent.destroy(),
	};
}

interface Post {
	readonly agent: Agent;
	readonly port: number;
	readonly path: string;
	readonly body: Buffer;
}

function postTo({agent, port, path, body}: Post): Promise<Answer | 'refused'> {
	return new Promise((resolve, reject) => {
		const headers = {'content-type': 'application/json', 'content-length': body.length};
		const outgoing = request({agent, host: '127.0.0.1', port, path, method: 'POST', headers});
		outgoing.on('response', response => {
			buffer(response).then(answer => resolve({status: response.statusCode ?? 0, body: answer}), reject);
		});
		outgoing.on('error', (error: NodeJS.ErrnoException) =>
			error.code === 'ECONNREFUSED' ? resolve('refused') : reject(error),
		);
		outgoing.end(body);
	});
}

export interface WebServer {
	readonly port: number;
	close(): Promise<void>;
}

/** A reverse proxy in front of the hosts: 502, with the reason, where none answers. */
export function startProxy(way: Way): Promise<WebServer> {
	return listen(async ({url = '/'}, body) => {
		try {
			return await way.post(url, body);
		} catch (error) {
			return {status: 502, body: Buffer.from(String(error))};
		}
	});
}

/** Hangs up where `answer` rejects. */
export async function listen(answer: (request: IncomingMessage, body: Buffer) => Promise<Answer>): Promise<WebServer> {
	const server = createServer({keepAliveTimeout: 65_000}, async (incoming, response) => {
		try {
			const {status, body} = await answer(incoming, await buffer(incoming));
			response.writeHead(status, {'content-type': 'application/json', 'content-length': body.length}).end(body);
		} catch {
			response.destroy();
		}
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		port: (server.address() as AddressInfo).port,
		async close() {
			server.closeAllConnections();
			await new Promise(resolve => server.close(resolve));
		},
	};
}
