// `bothy doctor`: checks this host, its Redis and its accounts, and says what to do about each problem.

import {accessSync, constants, existsSync, statfsSync} from 'node:fs';
import {resolve} from 'node:path';
import {request} from 'undici';
import {createPool} from '../client/pool.js';
import type {Account} from '../config/accounts.js';
import {type LedgerStatus, searchLedger, statusOf} from '../delivery/ledger.js';
import {readRunning, redisTime} from '../host/announce.js';
import {readSweptAt} from '../host/background/sweeping.js';
import {assignBots} from '../host/bots.js';
import {checkAccount, type Finding} from '../host/checks/check-account.js';
import {checkRedis, SKEW_MS} from '../host/checks/check-redis.js';
import {cureOf} from '../host/checks/site-cure.js';
import {readTrouble} from '../host/checks/troubles.js';
import {poolOptions} from '../host/clients.js';
import {openPlugins} from '../host/connections.js';
import {readWrongTokens} from '../host/wrong-tokens.js';
import {createOutboxStore} from '../outbox/store.js';
import {backgroundDeliveries} from '../queue/background-deliveries.js';
import {openQueue} from '../queue/define-queue.js';
import {sends} from '../queue/sends.js';
import {accountKey, accountTag} from '../redis/account-key.js';
import type {RedisConnection} from '../redis/connection.js';
import {storedAccounts} from '../redis/stored-accounts.js';
import {duration} from './ledger/since.js';
import {findAccounts, type Ledger, openLedger, RedisUnusable, type Terminal} from './once.js';
import {openClient} from './open-client.js';
import {type Colour, printable} from './paint.js';

const COLOURS: Record<Finding['status'], Colour> = {ok: 'green', warning: 'yellow', error: 'red'};

/** Returns the exit code: 1 if there is an error. */
export async function runDoctor(terminal: Terminal, {json}: {json?: true}): Promise<number> {
	let hasError = false;
	const show = (findings: readonly Finding[]) => {
		for (const finding of findings) {
			hasError ||= finding.status === 'error';
			terminal.print(json ? JSON.stringify(finding) : lineOf(terminal, finding));
		}
	};
	show([checkNode(), ...checkFolder(terminal)]);
	const accounts = findAccounts(terminal);
	show(await checkPlugins(terminal, accounts));
	const redis = await openLedger(terminal).then(
		ledger => ledger,
		(error: unknown) => (error instanceof RedisUnusable ? error : Promise.reject(error)),
	);
	if (redis instanceof RedisUnusable) {
		show([{status: 'error', about: 'Redis', text: redis.text, cure: redis.cure}]);
	} else {
		show(await checkRedis(redis.connection));
		show(await checkReceivers(redis.connection, accounts));
		show(await checkWorkers(terminal, redis.connection));
		show(await checkStrays(redis.connection, accounts));
	}

	for (const account of accounts) {
		show([
			...(await checkService(terminal, account)),
			...(redis instanceof RedisUnusable
				? []
				: [...(await checkStored(redis.connection, account)), ...(await checkDeliveries(redis, account))]),
		]);
	}

	return hasError ? 1 : 0;
}

function lineOf({paint}: Terminal, {status, about, text, cure}: Finding): string {
	const line = `${paint(COLOURS[status], status.padEnd(7))}  ${about}: ${printable(text)}`;
	return cure === undefined ? line : `${line}\n         ${cure}`;
}

const [NODE_MAJOR, NODE_MINOR] = [20, 19];

function checkNode(): Finding {
	const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
	const isNew = major > NODE_MAJOR || (major === NODE_MAJOR && minor >= NODE_MINOR);
	const text = `${process.version}${isNew ? '' : `, expected ${NODE_MAJOR}.${NODE_MINOR} or newer`}`;
	return {status: isNew ? 'ok' : 'error', about: 'Node', text, ...(isNew ? {} : {cure: 'Install a newer Node.'})};
}

/** As a fraction of the disk. */
const LEAST_FREE = 0.05;

function checkFolder({settings}: Terminal): Finding[] {
	const folder = resolve(settings.BOTHY_DATA);
	if (!existsSync(folder)) {
		return [];
	}

	const about = `Folder ${folder}`;
	try {
		accessSync(folder, constants.W_OK);
	} catch {
		const cure = 'Make the user that runs Bothy its owner, or set BOTHY_DATA to another folder.';
		return [{status: 'error', about, text: 'cannot be written', cure}];
	}

	const {bavail, blocks} = statfsSync(folder);
	const free = bavail / blocks;
	const text = `${Math.round(free * 100)} % of the disk is free`;
	return free < LEAST_FREE
		? [{status: 'error', about, text, cure: 'Free disk space: Redis refuses writes when its disk is full.'}]
		: [{status: 'ok', about, text}];
}

async function checkPlugins(terminal: Terminal, accounts: readonly Account[]): Promise<Finding[]> {
	try {
		assignBots(accounts, await openPlugins(terminal, accounts, {quiet: true}), {isStrict: true});
		return [{status: 'ok', about: 'Config', text: `${accounts.length} accounts, each with its plugin`}];
	} catch (error) {
		const text = error instanceof Error ? error.message : String(error);
		return [
			{status: 'error', about: 'Config', text, cure: 'Correct the config file or the plugin, then run this again.'},
		];
	}
}

async function checkStrays(redis: RedisConnection, accounts: readonly Account[]): Promise<Finding[]> {
	const known = new Set(accounts.map(accountTag));
	return [...(await storedAccounts(redis))]
		.filter(([tag]) => !known.has(tag))
		.map(([tag, keys]) => ({
			status: 'warning',
			about: 'Accounts',
			text: `Redis has ${keys} keys of ${tag.replace('|', ', ')}, which is not in the config`,
			cure: 'If its site has moved: bothy accounts move <old site> <new site>',
		}));
}

async function checkReceivers(redis: RedisConnection, accounts: readonly Account[]): Promise<Finding[]> {
	const about = 'Receivers';
	const count = (await readRunning(redis)).filter(({roles}) => roles.includes('web')).length;
	if (count > 0) {
		return [{status: 'ok', about, text: `${count} \`bothy web\` accept webhooks`}];
	}

	return accounts.some(({tokens, receive}) => tokens.length > 0 && receive !== 'events')
		? [
				{
					status: 'error',
					about,
					text: 'no process accepts webhooks',
					cure: 'Run `bothy web`. If it ends, its log says why.',
				},
			]
		: [];
}

/** A worker sweeps every few seconds. */
const SWEPT_MS = 30_000;

async function checkWorkers(terminal: Terminal, redis: RedisConnection): Promise<Finding[]> {
	const queues = [openQueue(sends, redis), openQueue(backgroundDeliveries, redis)] as const;
	terminal.teardown.add(() => Promise.all(queues.map(queue => queue.close())));
	const [senders, runners] = await Promise.all([queues[0].countWorkers(), queues[1].countWorkers()]);
	const [sweptAt, now] = await Promise.all([readSweptAt(redis), redisTime(redis)]);
	const sweptMs = sweptAt === undefined ? Number.POSITIVE_INFINITY : now - sweptAt;
	const isSwept = sweptMs < SWEPT_MS;
	return [
		senders > 0
			? {status: 'ok', about: 'Workers', text: `${senders} post messages`}
			: {status: 'error', about: 'Workers', text: 'none posts messages', cure: 'Run `bothy worker`.'},
		runners > 0
			? {status: 'ok', about: 'Reruns', text: `${runners} run lost deliveries and crons`}
			: {status: 'error', about: 'Reruns', text: 'no process runs lost deliveries or crons', cure: 'Run `bothy web`.'},
		isSwept
			? {status: 'ok', about: 'Sweep', text: `the last sweep for lost work was ${duration(sweptMs)} ago`}
			: {
					status: 'error',
					about: 'Sweep',
					text:
						sweptAt === undefined
							? 'no worker has ever swept for lost work'
							: `the last sweep for lost work was ${duration(sweptMs)} ago`,
					cure: 'Run `bothy worker sweep`, or `bothy worker` with all roles.',
				},
	];
}

async function checkService(terminal: Terminal, account: Account): Promise<Finding[]> {
	const {name: about, site} = account;
	const client = openClient(terminal, account);
	try {
		const {zulip_feature_level: level, zulip_version: version} = await client.getServerSettings();
		const findings = await checkAccount(account, client);
		const skew = await skewOf(terminal, account);
		return [
			...(findings.some(({status}) => status === 'error')
				? []
				: [{status: 'ok', about, text: `${site} answers: version ${version}, feature level ${level}`} as const]),
			...findings,
			...(skew > SKEW_MS
				? [
						{
							status: 'warning',
							about,
							text: `the clocks of ${site} and of this machine differ by ${duration(skew)}`,
							cure: 'Run a time service on this machine.',
						} as const,
					]
				: []),
		];
	} catch (error) {
		const text = `${site} cannot be used: ${error instanceof Error ? error.message : String(error)}`;
		return [{status: 'error', about, text, cure: cureOf(text)}];
	}
}

/** Compares with the `Date` header of an answer, which has whole seconds. */
async function skewOf({settings}: Terminal, account: Account): Promise<number> {
	const pool = createPool(account.site, poolOptions(settings, account));
	try {
		const {headers, body} = await request(`${account.site}/api/v1/server_settings`, {dispatcher: pool});
		await body.dump();
		const date = Date.parse(String(headers.date));
		return Number.isNaN(date) ? 0 : Math.max(0, Math.abs(date - Date.now()) - 1_000);
	} finally {
		await pool.destroy();
	}
}

const HOUR_MS = 3_600_000;

/** How many deliveries of the last hour are checked. */
const LOOKED_AT = 500;

/** A bot that throws, ends its process, or is flooded. */
async function checkDeliveries({connection, store}: Ledger, account: Account): Promise<Finding[]> {
	const since = (await redisTime(connection)) - HOUR_MS;
	const lately = await searchLedger(store, {accounts: [accountTag(account)], since, limit: LOOKED_AT});
	const {name: about} = account;
	const findings: [LedgerStatus, string, string][] = [
		['failed', 'failed', 'correct the bot, then run `bothy deliveries replay`'],
		['parked', 'ended their process three times', 'correct the bot, then run `bothy deliveries replay`'],
		['flood', 'came too fast from one person', 'raise `perMinute` of the bot if you want to allow that'],
	];
	return findings.flatMap(([status, what, cure]) => {
		const count = lately.filter(entry => statusOf(entry) === status).length;
		const text = `${count} deliveries of the last hour ${what}`;
		const see = `\`bothy deliveries --bot ${about} --status ${status}\` lists them;`;
		return count === 0 ? [] : [{status: 'warning', about, text, cure: `${see} ${cure}.`} as const];
	});
}

async function checkStored(redis: RedisConnection, account: Account): Promise<Finding[]> {
	const {name: about} = account;
	const tag = accountTag(account);
	const [trouble, wrongTokens, unsettled, parked] = await Promise.all([
		readTrouble(redis, tag),
		readWrongTokens(redis, tag),
		createOutboxStore(redis).unsettled(tag),
		redis.zcard(accountKey(redis, tag, 'due')),
	]);
	const findings: Finding[] = [];
	if (trouble) {
		findings.push({
			status: 'error',
			about,
			text: `calls have failed since ${new Date(trouble.at).toISOString()}: ${trouble.reason}; deliveries that wait: ${parked}`,
			cure: 'Check `site` and `key`. When calls succeed again, Bothy posts the messages that wait.',
		});
	}

	if (wrongTokens > 0) {
		findings.push({
			status: 'warning',
			about,
			text: `${wrongTokens} webhooks had a wrong token within the last day`,
			cure: "Copy `token` from the bot's zuliprc. During a rotation, list both tokens.",
		});
	}

	if (unsettled.length > 0) {
		findings.push({
			status: 'warning',
			about,
			text: `${unsettled.length} sends failed or have an unknown outcome`,
			cure: `\`bothy sends --bot ${about}\` lists them; settle each with \`bothy sends resolve\`.`,
		});
	}

	return findings;
}
