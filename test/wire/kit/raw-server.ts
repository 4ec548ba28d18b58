// A TCP server that knows no HTTP library: it keeps the bytes that came and answers with the bytes it was given.

import {createServer, type Socket} from 'node:net';
import type {ExecutionContext} from 'ava';

/** One request as it stood on the wire. */
export interface RawRequest {
	/** `GET /api/v1/users HTTP/1.1` */
	readonly line: string;
	/** Names in lower case; HTTP does not tell them apart. */
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
}

export interface RawServer {
	readonly url: string;
	/** The n-th request, counted from 1, once all of it came. */
	request(n?: number): Promise<RawRequest>;
	/** How many requests have come. */
	readonly count: number;
}

/** Hangs up instead of answering. */
export const HANG_UP = '';

/** Answers every request with the same bytes, or the n-th with what `answer(n)` says; with `hangsUp` it closes then. */
export async function startRawServer(
	t: ExecutionContext,
	answer: string | ((n: number) => string | Buffer),
	{hangsUp = false}: {readonly hangsUp?: boolean} = {},
): Promise<RawServer> {
	const requests: RawRequest[] = [];
	const waiting: Array<{readonly n: number; resolve(request: RawRequest): void}> = [];
	const sockets = new Set<Socket>();

	const server = createServer(socket => {
		sockets.add(socket);
		let bytes: Buffer = Buffer.alloc(0);
		socket.on('error', () => socket.destroy());
		socket.on('close', () => sockets.delete(socket));
		socket.on('data', (chunk: Buffer) => {
			bytes = Buffer.concat([bytes, chunk]);
			for (let taken = takeRequest(bytes); taken; taken = takeRequest(bytes)) {
				bytes = taken.rest;
				requests.push(taken.request);
				const n = requests.length;
				const bytesOfAnswer = typeof answer === 'string' ? answer : answer(n);
				if (bytesOfAnswer === HANG_UP) {
					socket.destroy();
				} else if (hangsUp) {
					socket.end(bytesOfAnswer);
				} else {
					socket.write(bytesOfAnswer);
				}

				for (const one of waiting.filter(each => each.n === n)) {
					one.resolve(taken.request);
				}
			}
		});
	});
	await new Promise<void>(resolve => {
		server.listen(0, '127.0.0.1', resolve);
	});
	t.teardown(() => {
		server.close();
		for (const socket of sockets) {
			socket.destroy();
		}
	});

	const address = server.address();
	if (address === null || typeof address === 'string') {
		throw new Error('Expected the server to listen on a port');
	}

	return {
		url: `http://127.0.0.1:${address.port}`,
		request: (n = 1) =>
			new Promise(resolve => {
				const known = requests[n - 1];
				if (known) {
					resolve(known);
				} else {
					waiting.push({n, resolve});
				}
			}),
		get count() {
			return requests.length;
		},
	};
}

/** The bytes of an answer, with the status as in the status line: `200 OK`. */
export function httpAnswer(status: string, body: string, headers: readonly string[] = []): string {
	return [
		`HTTP/1.1 ${status}`,
		'Content-Type: application/json',
		`Content-Length: ${Buffer.byteLength(body)}`,
		...headers,
		'',
		body,
	].join('\r\n');
}

function takeRequest(bytes: Buffer): {request: RawRequest; rest: Buffer} | undefined {
	const end = bytes.indexOf('\r\n\r\n');
	if (end === -1) {
		return undefined;
	}

	const [line = '', ...rest] = bytes.subarray(0, end).toString('latin1').split('\r\n');
	const headers = readHeaders(rest);
	const start = end + 4;
	const length = Number(headers['content-length'] ?? 0);
	if (headers['transfer-encoding'] !== undefined) {
		throw new Error(`Expected a request with a content length, found ${headers['transfer-encoding']}`);
	}

	if (bytes.length < start + length) {
		return undefined;
	}

	const body = bytes.subarray(start, start + length).toString('utf8');
	return {request: {line, headers, body}, rest: bytes.subarray(start + length)};
}

export function readHeaders(lines: readonly string[]): Record<string, string> {
	return Object.fromEntries(
		lines.map(line => {
			const colon = line.indexOf(':');
			return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
		}),
	);
}
