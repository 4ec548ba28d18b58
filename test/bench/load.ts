// Posts payloads over connections that are kept, with as little work of its own as it can.

import {createHash} from 'node:crypto';
import {once} from 'node:events';
import {connect} from 'node:net';
import {payload} from '../helpers/payload.js';

/**
 * Of all accounts that the receiver under measurement has. They have the same length, so that one is written over another in
 * place. Consecutive numbers would not spread over the slots of a Cluster as names do.
 */
export const EMAILS = Array.from({length: 30}, (_, index) => {
	const name = createHash('sha256').update(String(index)).digest('hex').slice(0, 8);
	return `${name}@chat.example.com`;
});
export const EMAIL = EMAILS[0] ?? '';
export const SITE = 'https://chat.example.com';
export const TOKEN = 'correctcorrectcorrectcorrectcorr';

/** Message ids are written into the bytes in place. */
const FIRST_ID = 1_000_000_000;
let nextId = FIRST_ID;

/** A payload of 2 KB as the service posts it. */
const TEXT = `@**Echo** ${'lorem ipsum '.repeat(40)}`;
export const BODY = JSON.stringify(
	payload({botEmail: EMAIL, messageId: FIRST_ID, text: TEXT, renderedContent: `<p>${TEXT}</p>`}),
);

export const BODY_BYTES = Buffer.byteLength(BODY);

export interface Load {
	readonly requests: number;
	readonly connections: number;
	/** Over how many accounts the payloads are spread. Default 1. */
	readonly accounts?: number;
	/** As fast as they are answered when absent. */
	readonly perSecond?: number;
}

export interface LoadResult {
	readonly seconds: number;
	/** Milliseconds from the last byte written to the first read, sorted. */
	readonly latencies: Float64Array;
}

/** Posts `requests` payloads with ids of their own; throws when one is not answered with 200 and a content. */
export async function post(url: string, {requests, connections, perSecond, accounts = 1}: Load): Promise<LoadResult> {
	const {hostname, port} = new URL(url);
	const latencies = new Float64Array(requests);
	let started = 0;
	let ended = 0;
	const begin = performance.now();
	const work = async () => {
		const socket = connect({host: hostname, port: Number(port), noDelay: true});
		await once(socket, 'connect');
		const head = `POST /webhook HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: application/json\r\ncontent-length: ${BODY_BYTES}\r\n\r\n`;
		const bytes = Buffer.from(head + BODY);
		const idAt = bytes.indexOf(String(FIRST_ID));
		const emailAt = bytes.indexOf(EMAIL);
		await new Promise<void>((resolve, reject) => {
			let sentAt = 0;
			const next = () => {
				if (started >= requests) {
					socket.end();
					resolve();
					return;
				}

				const dueAt = perSecond === undefined ? 0 : begin + (started / perSecond) * 1000;
				started++;
				if (dueAt > performance.now()) {
					setTimeout(send, dueAt - performance.now());
				} else {
					send();
				}
			};
			const send = () => {
				bytes.write(EMAILS[nextId % accounts] ?? EMAIL, emailAt, 'latin1');
				bytes.write(String(nextId++), idAt, 'latin1');
				sentAt = performance.now();
				socket.write(bytes);
			};
			socket.on('data', chunk => {
				// The answers are small: each comes in one piece.
				if (chunk.indexOf('HTTP/1.1 200') !== 0 || chunk.indexOf('"content":"@') < 0) {
					reject(new Error(`Expected 200 with a content, got ${chunk.subarray(0, 300)}`));
					return;
				}

				latencies[ended++] = performance.now() - sentAt;
				next();
			});
			socket.on('error', reject);
			next();
		});
	};
	await Promise.all(Array.from({length: connections}, work));
	return {seconds: (performance.now() - begin) / 1000, latencies: latencies.sort()};
}

export function percentile(sorted: Float64Array, share: number): number {
	return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
