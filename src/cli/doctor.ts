// `bothy doctor`: checks this host, its Redis and its accounts, and says what to do about each problem.

import {accessSync, constants, existsSync, statfsSync, statSync} from 'node:fs';
import {resolve} from 'node:path';
import {request} from 'undici';
import {createPool} from '../client/pool.js';
import type {Account} from '../config/accounts.js';
import {assignBots} from '../host/bots.js';
import {checkAccount, type Finding} from '../host/checks/check-account.js';
import {checkRedis, SKEW_MS} from '../host/checks/check-redis.js';
import {judgeAccount, judgeReceivers, judgeWorkers} from '../host/checks/findings.js';
import {cureOf} from '../host/checks/site-cure.js';
import {readStanding, type Standing} from '../host/checks/standing.js';
import {poolOptions} from '../host/clients.js';
import {openPlugins} from '../host/connections.js';
import {duration} from '../host/duration.js';
import {accountTag} from '../redis/account-key.js';
import type {RedisConnection} from '../redis/connection.js';
import {storedAccounts} from '../redis/stored-accounts.js';
import {findAccounts, openLedger, RedisUnusable, type Terminal} from './once.js';
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
	let standing: Standing | undefined;
	if (redis instanceof RedisUnusable) {
		show([{status: 'error', about: 'Redis', text: redis.text, cure: redis.cure}]);
	} else {
		show(await checkRedis(redis.connection));
		standing = await readStanding(terminal, redis.connection, accounts);
		show([...judgeReceivers(standing), ...judgeWorkers(standing)]);
		show(await checkStrays(redis.connection, accounts));
	}

	for (const [index, account] of accounts.entries()) {
		const stored = standing?.accounts[index];
		const found = await checkService(terminal, account);
		const others = standing && stored ? judgeAccount(stored, standing.now) : [];
		// The hourly check may have found the same.
		show([...found, ...others.filter(({text}) => found.every(one => one.text !== text))]);
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
	if (!statSync(folder).isDirectory()) {
		const cure = 'Remove that file, or set BOTHY_DATA to another folder.';
		return [{status: 'error', about, text: 'expected a folder, found a file', cure}];
	}

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
