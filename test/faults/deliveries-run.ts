// One run of the suite: people write, receivers die, connections break, Redis goes and comes back; then all is counted.

import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {monitorEventLoopDelay} from 'node:perf_hooks';
import {setTimeout as sleep} from 'node:timers/promises';
import {breakScripts} from './broken-scripts.js';
import {causeFaults, type FaultSize} from './cause-faults.js';
import {type HouseSize, openHouse} from './house.js';
import {makePlan, type PlanSize} from './plan.js';
import {sendAll} from './send-all.js';
import {judge, openRealmStore, type Verdict} from './verdict.js';

export interface RunSize extends PlanSize, FaultSize, HouseSize {
	/** Over how long people write, in milliseconds. */
	readonly loadMs: number;
	/** How long to wait for what is missing when everything has been written. */
	readonly timeoutMs: number;
	/** Whether to let time pass for answers of which nobody knows that they were written, rather than wait a minute. */
	readonly isHurried: boolean;
}

export type Print = (line: string) => void;

export async function runDeliveries(size: RunSize, say: Print): Promise<Verdict> {
	const folder = await mkdtemp(join(tmpdir(), 'bothy-faults-'));
	const plan = makePlan(size);
	const house = await openHouse({folder, size, plan, broken: breakScripts(process.env.FAULTS_BREAK)});
	const store = openRealmStore(join(folder, 'realm.db'));
	const startedAt = performance.now();
	const delay = monitorEventLoopDelay({resolution: 10});
	delay.enable();
	let isGood = false;
	try {
		const faults = causeFaults(house, size);
		await sendAll(plan, {url: house.realm.url, overMs: size.loadMs, bots: house.accounts});
		say(`  everything is written after ${secondsSince(startedAt)} s`);
		say(`  our own event loop was late by ${Math.round(delay.max / 1e6)} ms at most`);
		await faults.end();

		const accepted = () => new Set(house.proxy.log.accepted.keys());
		const isComplete = () =>
			store.waiting() === 0 && judge(plan, {said: store.said(), accepted: accepted()}).lost.length === 0;
		await until(isComplete, size.timeoutMs);
		say(`  everything is answered after ${secondsSince(startedAt)} s: ${isComplete()}`);
		if (size.isHurried) {
			await house.ledger.hurry();
		}

		await until(() => house.ledger.isQuiet(), size.timeoutMs);
		say(`  nothing is on its way any more after ${secondsSince(startedAt)} s`);
		await sleep(500);

		const verdict = judge(plan, {said: store.said(), accepted: accepted()});
		report(say, {verdict, house, plan});
		isGood = verdict.lost.length + verdict.doubled.length + verdict.wrong.length === 0;
		return verdict;
	} finally {
		store.close();
		await house.close();
		if (isGood) {
			await rm(folder, {recursive: true, force: true});
		} else {
			say(`  what happened stands in ${folder}`);
		}
	}
}

async function until(holds: () => boolean | Promise<boolean>, timeoutMs: number): Promise<void> {
	for (const end = performance.now() + timeoutMs; performance.now() < end; await sleep(500)) {
		if (await holds()) {
			return;
		}
	}
}

function report(
	say: Print,
	{verdict, house, plan}: {verdict: Verdict; house: Awaited<ReturnType<typeof openHouse>>; plan: readonly unknown[]},
): void {
	const {lost, doubled, wrong, accepted, afterwards} = verdict;
	const {log} = house.proxy;
	say(
		`  accepted ${accepted} of ${plan.length}, in ${sum(log.accepted.values())} connections, ${sum(log.broken.values())} of them broken`,
	);
	say(`  cut: ${list(log.cuts)}; killed: ${list(house.reaper.kills)}`);
	say(`  killed at steps: ${list(house.redisProxy.done)}`);
	say(`  said after the handler had returned: ${afterwards[0]} of ${afterwards[1]}`);
	for (const [what, found] of Object.entries({lost, doubled, wrong})) {
		if (found.length > 0) {
			say(`  ${what}: ${found.slice(0, 20).join(' | ').slice(0, 1500)}`);
		}
	}
}

function list(counts: ReadonlyMap<string, number>): string {
	return [...counts].map(([name, times]) => `${name} ${times}`).join(', ') || 'none';
}

function sum(numbers: Iterable<number>): number {
	return [...numbers].reduce((total, number) => total + number, 0);
}

function secondsSince(startedAt: number): number {
	return Math.round((performance.now() - startedAt) / 1000);
}
