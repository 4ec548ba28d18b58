// The operator's console on a large ledger: how long each screen takes to open, and how many commands a refresh costs Redis.

import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import type {Redis} from 'ioredis';
import {readAccounts} from '../../src/config/accounts.js';
import {readSettings} from '../../src/config/settings.js';
import {openConsole} from '../../src/console/open-console.js';
import {createRedisStore, type RedisStore} from '../../src/delivery/redis-store.js';
import {messageText} from '../../src/delivery/work.js';
import {createTeardown} from '../../src/host/teardown.js';
import {createLog} from '../../src/log.js';
import {accountTag} from '../../src/redis/account-key.js';
import {openEmbeddedRedis} from '../../src/redis/embedded-redis.js';
import {plainRedis} from '../helpers/plain-redis.js';
import {BODY} from './load.js';
import {note, report} from './report.js';
import {TOOLS} from './server.js';

const KEPT = 200_000;

const ACCOUNTS = 10;

const PER_MINUTE = 1_000;

/** At the same time while the ledger is filled. */
const TOGETHER = 500;

const TOKEN = 'a-token-of-operators';

/** What each screen reads. */
const SCREENS = {
	'Needs attention': ['attention'],
	Deliveries: ['deliveries', 'accounts'],
	'Deliveries that failed': ['deliveries?status=failed', 'accounts'],
	'a search for a person': ['deliveries?q=Zora', 'accounts'],
	Health: ['health'],
};

/** A refresh every two seconds. */
const REFRESHES = 6;

export async function benchConsole(): Promise<void> {
	const folder = await mkdtemp(join(tmpdir(), 'bothy-bench-'));
	const embedded = await openEmbeddedRedis({folder, searchFolders: [TOOLS]});
	const redis = plainRedis(embedded.url);
	const teardown = createTeardown(() => {});
	try {
		const names = Array.from({length: ACCOUNTS}, (_, index) => `bot${index}`);
		const sections = names.map(name => [
			name,
			{email: `${name}@chat.example.com`, key: 'k', site: 'https://chat.example.com', token: name.padEnd(32, 'x')},
		]);
		const settings = readSettings({
			ADMIN_TOKEN: TOKEN,
			BOTHY_CONFIG_JSON: JSON.stringify(Object.fromEntries(sections)),
		});
		const accounts = readAccounts(settings);
		const deliver = createArrivals(createRedisStore(redis), accounts.map(accountTag));
		for (let count = 0; count < KEPT; count += TOGETHER) {
			await Promise.all(Array.from({length: TOGETHER}, deliver));
		}

		const log = createLog({level: 'silent', pretty: false});
		const host = {settings, log, teardown};
		const url = await openConsole(host, {redisUrl: embedded.url, accountsOf: () => accounts, env: {}, port: 0});
		const cookie = await signIn(url);
		const open = async (paths: readonly string[]) => {
			const since = performance.now();
			const answers = await Promise.all(paths.map(path => fetch(`${url}/api/${path}`, {headers: {cookie}})));
			const sizes = await Promise.all(answers.map(async answer => (await answer.text()).length));
			if (answers.some(({status}) => status !== 200)) {
				throw new Error(
					`Expected 200 from ${paths.join(' and ')}, found ${answers.map(({status}) => status).join(' and ')}`,
				);
			}

			return {ms: performance.now() - since, bytes: sizes.reduce((sum, size) => sum + size, 0)};
		};
		note(`${KEPT} deliveries of ${ACCOUNTS} accounts; ${PER_MINUTE} a minute arrive while the times are measured`);
		for (const [name, paths] of Object.entries(SCREENS)) {
			const arriving = setInterval(() => void deliver(), 60_000 / PER_MINUTE);
			const opened = [await open(paths), await open(paths), await open(paths)];
			clearInterval(arriving);
			report({name: `${name} opens`, value: Math.max(...opened.map(({ms}) => ms)), unit: 'ms', bound: {atMost: 1_000}});
			const {sent, inScripts} = await countCommands(redis, async () => {
				await open(paths.slice(0, 1));
			});
			report({name: `${name}, commands of a refresh`, value: sent, unit: 'commands', bound: {atMost: 49}});
			note(`which run ${inScripts} steps in scripts; the answer has ${Math.round((opened[0]?.bytes ?? 0) / 1024)} KiB`);
		}
	} finally {
		await teardown.run();
		redis.disconnect();
		await embedded.close();
		await rm(folder, {recursive: true, force: true});
	}
}

/** Stores deliveries that have ended; one in fifty failed. */
function createArrivals(store: RedisStore, tags: readonly string[]): () => Promise<void> {
	let count = 0;
	return async () => {
		count += 1;
		const id = count;
		const ref = {account: tags[id % tags.length] ?? '', id: `${id}-0123456789ab`};
		await store.claim(ref, {nonce: `process ${id}`, work: messageText(BODY), sender: id, perMinute: 0});
		const reference = id.toString(16).padStart(8, '0');
		const failed = id % 50 === 0 ? {error: `${reference} Error: out of cheese\n    at bot.ts:1:1`} : {};
		await store.finish(ref, {run: 1, answer: '{"content":"An answer."}', canAnswer: true, replies: [], ...failed});
	};
}

async function signIn(url: string): Promise<string> {
	const response = await fetch(`${url}/api/sign-in`, {
		method: 'POST',
		headers: {'content-type': 'application/json', origin: url},
		body: JSON.stringify({who: 'Olga', token: TOKEN}),
	});
	return (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
}

/** The most that a refresh cost while nothing arrives, and the steps of its scripts. */
async function countCommands(redis: Redis, refresh: () => Promise<void>) {
	let sent = 0;
	let inScripts = 0;
	const monitor = await redis.monitor();
	monitor.on('monitor', (_time: string, _args: string[], source: string) => {
		if (source === 'lua') {
			inScripts += 1;
		} else {
			sent += 1;
		}
	});
	const most = {sent: 0, inScripts: 0};
	for (let count = 0; count < REFRESHES; count++) {
		await sleep(2_000);
		[sent, inScripts] = [0, 0];
		await refresh();
		// What the monitor has not told yet.
		await sleep(200);
		most.sent = Math.max(most.sent, sent);
		most.inScripts = Math.max(most.inScripts, inScripts);
	}

	monitor.disconnect();
	return most;
}
