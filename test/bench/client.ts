// What a call of the client costs, beside a bare request with the same bytes, in one run.

import {fork} from 'node:child_process';
import {once} from 'node:events';
import {fileURLToPath} from 'node:url';
import {Pool} from 'undici';
import {createClient} from '../../src/client/client.js';
import {median, note, report} from './report.js';

const PROGRAM = fileURLToPath(new URL('./client-service.js', import.meta.url));
const ROUNDS = 9;
const SIDE_BY_SIDE = 20;

const EMAIL = 'echo-bot@chat.example.com';
const KEY = 'abcdefghijklmnopqrstuvwxyz012345';
const HEADERS = {
	authorization: `Basic ${Buffer.from(`${EMAIL}:${KEY}`).toString('base64')}`,
	'user-agent': 'Bothy/1.2.3',
	accept: 'application/json',
};
const TEXT = 'lorem ipsum '.repeat(20);

interface Pair {
	readonly name: string;
	readonly calls: number;
	readonly bare: () => Promise<unknown>;
	readonly ours: () => Promise<unknown>;
}

export async function benchClient(): Promise<void> {
	const service = fork(PROGRAM);
	const [site] = (await once(service, 'message')) as [string];
	const client = createClient({site, email: EMAIL, key: KEY, userAgent: 'Bothy/1.2.3'});
	const pool = new Pool(site, {connections: 128});
	const form = {...HEADERS, 'content-type': 'application/x-www-form-urlencoded'};
	const body = new URLSearchParams({type: 'channel', to: 'general', topic: 'lunch', content: TEXT}).toString();
	const path =
		'/api/v1/messages?anchor=newest&num_before=20&num_after=0&narrow=%5B%5B%22channel%22%2C%22general%22%5D%5D';

	const pairs: readonly Pair[] = [
		{
			name: 'client, one message sent',
			calls: 4_000,
			bare: async () =>
				(await pool.request({method: 'POST', path: '/api/v1/messages', headers: form, body})).body.json(),
			ours: () => client.sendMessage({type: 'channel', to: 'general', topic: 'lunch', content: TEXT}),
		},
		{
			name: 'client, 20 messages read',
			calls: 2_000,
			bare: async () => (await pool.request({method: 'GET', path, headers: HEADERS})).body.json(),
			ours: () =>
				client.getMessages({anchor: 'newest', num_before: 20, num_after: 0, narrow: [['channel', 'general']]}),
		},
	];
	for (const pair of pairs) {
		await benchPair(pair);
	}

	await client.close();
	await pool.destroy();
	service.disconnect();
}

async function benchPair({name, calls, bare, ours}: Pair): Promise<void> {
	await cpuMs(bare, calls);
	await cpuMs(ours, calls);
	const ratios: number[] = [];
	const best = {bare: Number.POSITIVE_INFINITY, ours: Number.POSITIVE_INFINITY};
	for (let round = 0; round < ROUNDS; round++) {
		const bareMs = await cpuMs(bare, calls);
		const oursMs = await cpuMs(ours, calls);
		ratios.push(oursMs / bareMs);
		best.bare = Math.min(best.bare, bareMs);
		best.ours = Math.min(best.ours, oursMs);
	}

	const each = (ms: number) => `${((ms * 1000) / calls).toFixed(0)} µs`;
	note(`${name}: at best ${each(best.ours)} a call, bare ${each(best.bare)}`);
	report({name, value: median(ratios), unit: '× CPU of a bare request', bound: {atMost: 1.3}});
}

/** CPU of this process for that many calls; the service runs in another. */
async function cpuMs(call: () => Promise<unknown>, calls: number): Promise<number> {
	let begun = 0;
	const work = async () => {
		while (begun < calls) {
			begun += 1;
			await call();
		}
	};

	const before = process.cpuUsage();
	await Promise.all(Array.from({length: SIDE_BY_SIDE}, work));
	const {user, system} = process.cpuUsage(before);
	return (user + system) / 1000;
}
