// One attack, for as long as it is ordered. It knows no more than a stranger does, save where somebody in the chat attacks:
// then the service, which knows the token, passes their words on.

import {connect, type Socket} from 'node:net';
import {setTimeout as sleep} from 'node:timers/promises';
import {brotliCompressSync, constants, gzipSync} from 'node:zlib';
import {payload} from '../helpers/payload.js';

export interface AttackOrder {
	readonly attack: Attack;
	readonly port: number;
	readonly forMs: number;
	/** A good bot, one that reads times, one that looks people up. */
	readonly bots: readonly {readonly email: string; readonly token: string}[];
}

export const ATTACKS = [
	'empty tokens',
	'pipelined requests, answers unread',
	'emails of a megabyte',
	'messages full of options and people',
	'guessed tokens beside a megabyte of lists',
	'bodies that are withheld',
	'compressed bombs',
	'heads that trickle',
	'looks at /readyz',
	'paths that are none',
] as const;
export type Attack = (typeof ATTACKS)[number];

const MIB = 1024 * 1024;

/** Connections of a wave, and time between two waves. */
const WAVE = 60;
const WAVE_MS = 1_000;

if (process.env.FAULTS_ATTACK) {
	await attack(JSON.parse(process.env.FAULTS_ATTACK) as AttackOrder);
	process.exit(0);
}

async function attack({attack, port, forMs, bots}: AttackOrder): Promise<void> {
	const requests = makeRequests(attack, bots);
	const sockets = new Set<Socket>();
	const until = performance.now() + forMs;
	while (performance.now() < until) {
		for (let n = 0; n < WAVE; n++) {
			const socket = connect(port, '127.0.0.1');
			sockets.add(socket);
			socket.on('error', () => {});
			socket.once('close', () => sockets.delete(socket));
			socket.write(requests[n % requests.length] ?? '');
			if (attack === 'pipelined requests, answers unread') {
				socket.pause();
			} else {
				socket.resume();
			}
		}

		await sleep(WAVE_MS);
	}

	for (const socket of sockets) {
		socket.destroy();
	}
}

function makeRequests(attack: Attack, bots: AttackOrder['bots']): Buffer[] {
	const [good, remind, steward] = bots;
	const email = good?.email ?? '';
	const forged = (differences: object) =>
		JSON.stringify({...payload({botEmail: email, token: 'guessed'}), ...differences});
	switch (attack) {
		case 'empty tokens':
			return [post(forged({token: ''}))];
		case 'pipelined requests, answers unread':
			return [Buffer.from('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2_000))];
		case 'emails of a megabyte':
			return [post(forged({bot_email: 'x'.repeat(MIB - 10_000)}))];
		case 'messages full of options and people':
			// Twenty a minute from each of them are listened to.
			return Array.from({length: WAVE}, (_, sender) =>
				sender % 3 === 0
					? said(steward, sender, `add ${'@**Alice** '.repeat(900)}`)
					: said(remind, sender, `me ${(sender % 3 === 1 ? '--when noon ' : 'noon ').repeat(800)}`),
			);
		case 'guessed tokens beside a megabyte of lists':
			return [post(forged({filler: Array.from({length: 300_000}, () => [])}))];
		case 'bodies that are withheld':
			return [post('x'.repeat(MIB)).subarray(0, MIB)];
		case 'compressed bombs':
			return [
				post(gzipSync(Buffer.alloc(64 * MIB)), 'gzip'),
				post(brotli(Buffer.alloc(64 * MIB)), 'br'),
				post(brotli(Buffer.alloc(64 * MIB)), 'br').subarray(0, -1),
			];
		case 'heads that trickle':
			return [Buffer.from('POST /webhook HTTP/1.1\r\nHost: x\r\nContent-Type: appl')];
		case 'looks at /readyz':
			return [Buffer.from('GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(15))];
		case 'paths that are none':
			return [Buffer.from('POST http://[::1 HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(15))];
	}
}

/** What somebody writes in the chat, as the service posts it. */
function said(bot: {email: string; token: string} | undefined, sender: number, text: string): Buffer {
	const message = {sender_id: 1_000 + sender};
	return post(
		JSON.stringify(
			payload({botEmail: bot?.email ?? '', token: bot?.token ?? '', text, messageId: 1 + sender, message}),
		),
	);
}

function brotli(bytes: Buffer): Buffer {
	return brotliCompressSync(bytes, {params: {[constants.BROTLI_PARAM_QUALITY]: 5}});
}

function post(body: string | Buffer, encoding?: string): Buffer {
	const head =
		`POST /webhook HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${encoding ? `Content-Encoding: ${encoding}\r\n` : ''}` +
		`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
	return Buffer.concat([Buffer.from(head), Buffer.from(body)]);
}
