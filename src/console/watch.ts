// Reads the state of everything, at most once in two seconds, for any number of operators.

import type {Account} from '../config/accounts.js';
import {readSweptAt} from '../host/background/sweeping.js';
import type {Finding} from '../host/checks/check-account.js';
import {judgeRedis} from '../host/checks/check-redis.js';
import {judgeAccount, judgeReceivers, judgeWorkers} from '../host/checks/findings.js';
import {openQueueStates, percentile, readAccountsStanding, type Standing} from '../host/checks/standing.js';
import type {Host} from '../host/connections.js';
import type {RedisConnection} from '../redis/connection.js';
import {createPlannedReader, readPresence} from './health.js';
import {keepLatest} from './latest.js';

/** A page asks every two seconds. */
const EVERY_MS = 1_500;

/** What costs Redis more, or changes rarely. */
const SELDOM_MS = 10_000;

/** A finding with the account that it is about. */
export type Attention = Finding & {readonly account?: string};

export function openWatch(host: Pick<Host, 'teardown'>, redis: RedisConnection, accounts: readonly Account[]) {
	const queueStates = keepLatest(SELDOM_MS, openQueueStates(host, redis, accounts));
	const ofRedis = keepLatest(SELDOM_MS, () => readRedis(redis));
	const planned = keepLatest(SELDOM_MS, createPlannedReader(redis, accounts));
	const presence = keepLatest(SELDOM_MS, () => readPresence(redis, accounts));
	const standing = keepLatest(EVERY_MS, async (): Promise<Standing> => {
		const [ofAccounts, queues, sweptAt] = await Promise.all([
			readAccountsStanding(redis, accounts),
			queueStates.read(),
			readSweptAt(redis),
		]);
		return {...ofAccounts, queues, sweptAt};
	});

	return {
		/** After an action: the next answer shows what it changed. */
		forget() {
			for (const part of [standing, queueStates, planned, presence]) {
				part.forget();
			}
		},
		/** What needs a person, the worst first, and what was checked. */
		async attention() {
			const [current, redisFindings, present] = await Promise.all([standing.read(), ofRedis.read(), presence.read()]);
			const shared = [
				...redisFindings,
				...judgeReceivers(current),
				...judgeWorkers(current),
				...judgeProcesses(current),
			];
			const ofAccounts = current.accounts.flatMap(account =>
				judgeAccount(account, current.now).map((finding): Attention => ({...finding, account: account.tag})),
			);
			const findings = [...shared, ...ofAccounts, ...judgePresence(present)];
			return {
				now: current.now,
				findings: findings.filter(({status}) => status !== 'ok').toSorted((a, b) => rank(a) - rank(b)),
				checked: shared.filter(({status}) => status === 'ok').map(({about, text}) => `${about}: ${text}`),
				accounts: current.accounts.length,
			};
		},
		async health() {
			const [current, {schedules, conflicts}, present] = await Promise.all([
				standing.read(),
				planned.read(),
				presence.read(),
			]);
			return {
				now: current.now,
				processes: current.processes,
				queues: current.queues,
				sweptAt: current.sweptAt ?? 0,
				bots: current.accounts.map(({account, tag, paused, noted, check, took, trouble, ...counts}) => ({
					account: tag,
					name: account.name,
					email: account.email,
					site: account.site,
					receive: account.receive ?? 'webhooks',
					about: noted?.about,
					problem: noted?.problem,
					isPaused: paused !== undefined,
					p50: percentile(took, 0.5),
					p99: percentile(took, 0.99),
					level: check?.level,
					version: check?.version,
					keyProblem: trouble === undefined ? check?.problems[0] : String(JSON.parse(trouble).reason),
					isKeyKnown: check !== undefined || trouble !== undefined,
					pauseMs: Math.max(0, counts.pauseMs),
					lastHour: counts.lastHour,
					failed: counts.failed,
					open: counts.open,
					held: counts.held,
					wrongTokens: counts.wrongTokens,
				})),
				schedules,
				conflicts,
				presence: present,
			};
		},
	};
}

async function readRedis(redis: RedisConnection): Promise<Finding[]> {
	const since = performance.now();
	const [[seconds = '0', micros = '0'], info] = await Promise.all([redis.time(), redis.info()]);
	const ms = performance.now() - since;
	const skewMs = Math.abs(Number(seconds) * 1000 + Number(micros) / 1000 - Date.now());
	return judgeRedis({info, ms, skewMs}).map(finding => ({...finding, kind: 'redis'}));
}

function judgeProcesses({processes}: Standing): Finding[] {
	const versions = [...new Set(processes.map(({version}) => version))];
	const about = 'Processes';
	if (versions.length > 1) {
		const text = `versions ${versions.join(' and ')} run at the same time: is a deploy under way?`;
		return [{status: 'warning', kind: 'versions', about, text}];
	}

	return [
		{
			status: 'ok',
			about,
			text: `${processes.length} with one version`,
		},
	];
}

function judgePresence(states: Awaited<ReturnType<typeof readPresence>>): Finding[] {
	return states.flatMap(({bot, isParked, problem}) =>
		isParked ? [{status: 'warning', kind: 'presence', about: bot, text: `its presence is parked: ${problem}`}] : [],
	);
}

function rank({status, since = 0}: Finding): number {
	return (status === 'error' ? 0 : 1e15) - since / 1e3;
}
