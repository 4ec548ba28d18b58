// One worker of the sends benchmark in a process of its own: ours, or a bare one that makes the same call.

import {Worker} from 'bullmq';
import pino from 'pino';
import {Pool} from 'undici';
import {readSettings} from '../../src/config/settings.js';
import {openClients} from '../../src/host/clients.js';
import {createTeardown} from '../../src/host/teardown.js';
import {openWorkers} from '../../src/host/working.js';
import {plainRedis} from '../helpers/plain-redis.js';
import {accountsAt, BARE_QUEUE} from './sends-kit.js';

const [kind = '', redisUrl = '', site = ''] = process.argv.slice(2);

async function openBothy(): Promise<void> {
	const log = pino({level: 'warn'});
	const teardown = createTeardown(error => log.error({err: error}, 'could not close a part of this process'));
	const host = {settings: readSettings({}), log, teardown};
	const accounts = accountsAt(site);
	const clientOf = openClients(host, {redisUrl, accounts});
	await openWorkers(host, {redisUrl, accounts, clientOf}, ['sends']);
}

async function openBare(): Promise<void> {
	const pool = new Pool(site, {connections: 32});
	const headers = {authorization: 'Basic x', 'content-type': 'application/x-www-form-urlencoded'};
	const worker = new Worker(
		BARE_QUEUE,
		async job => {
			const body = new URLSearchParams(job.data).toString();
			const response = await pool.request({method: 'POST', path: '/api/v1/messages', headers, body});
			await response.body.json();
		},
		{
			connection: plainRedis(redisUrl),
			prefix: '{bothy}',
			concurrency: 50,
			removeOnComplete: {count: 0},
		},
	);
	await worker.waitUntilReady();
}

await (kind === 'bothy' ? openBothy() : openBare());
process.once('disconnect', () => process.exit(0));
process.send?.('ready');
