// A receiver that the tests of the primary start. It identifies itself, and misbehaves as its file of instructions says.

import {appendFileSync, existsSync, readFileSync} from 'node:fs';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {joinPrimary} from '../../../src/host/processes/join-primary.js';
import {listenTarget} from '../../../src/host/processes/listening-socket.js';

export interface Introduction {
	readonly process: string;
	readonly pid: number;
	readonly dead: readonly string[];
	/** From the environment that the primary had to wait for. */
	readonly late?: string | undefined;
}

const dead: string[] = [];
const file = process.env.TEST_INSTRUCTIONS ?? '';
let instructions = '';
let late: string | undefined;

const server = createServer((request, response) => {
	const introduction: Introduction = {process: joined?.process ?? '', pid: process.pid, dead, late};
	if (request.url === '/slow') {
		response.writeHead(200);
		response.write(' ');
		// Answered only once the receiver was told to drain.
		answerSlow = () => response.end(JSON.stringify(introduction));
		return;
	}

	response.end(JSON.stringify(introduction));
});
let answerSlow = () => {};

const joined = joinPrimary({
	graceMs: 60_000,
	onDead: id => dead.push(id),
	async onDrain() {
		if (instructions === 'never drain' || process.env.TEST_LISTENS === 'no') {
			await new Promise(() => {});
		}

		const closed = new Promise(resolve => server.close(resolve));
		answerSlow();
		await closed;
	},
});

if (file !== '') {
	appendFileSync(`${file}-pids`, `${process.pid}\n`);
}

late = (await joined?.started)?.TEST_LATE;
instructions = existsSync(file) ? readFileSync(file, 'utf8') : '';

if (instructions.startsWith('fail ')) {
	await joined?.failed(instructions.slice('fail '.length));
	process.exit(1);
}

if (instructions.startsWith('exit ')) {
	process.exit(Number(instructions.slice('exit '.length)));
}

if (process.env.TEST_LISTENS === 'no') {
	joined?.ready('');
} else if (instructions !== 'never start') {
	server.listen(listenTarget(process.env, {host: '127.0.0.1', port: 0}), () => {
		// The socket is a TCP one.
		joined?.ready(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
	});
}
