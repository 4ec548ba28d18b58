// One run of the suite: people write, receivers die, connections break, Redis goes and comes back; then all is counted.

import {mkdtemp} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {monitorEventLoopDelay} from 'node:perf_hooks';
import {setTimeout as sleep} from 'node:timers/promises';
import {until} from '../helpers/until.js';
import {type House, type HouseSize, openHouse} from './house.js';
import {makePlan, type Planned, type PlanSize} from './plan.js';
import {breakScripts} from './trouble/broken-scripts.js';
import {causeFaults, type FaultSize} from './trouble/cause-faults.js';
import {endFolder, judge, type Verdict} from './verdict.js';

/** Checks while the run only waits. Each check reads everything that is stored. */
const LOOK_MS = 500;

export interface RunSize extends PlanSize, FaultSize, HouseSize {
	/** Over how long people write, in milliseconds. */
	readonly loadMs: number;
	/** How long to wait for what is missing when everything has been written. */
	readonly timeoutMs: number;
	/** Whether to skip the minute for unconfirmed answers, rather than wait. */
	readonly isHurried: boolean;
}

export type Say = (line: string) => void;

export async function runDeliveries(size: RunSize, say: Say): Promise<Verdict> {
	const folder = await mkdtemp(join(tmpdir(), 'bothy-faults-'));
	const plan = makePlan(size);
	const house = await openHouse({folder, size, plan, broken: breakScripts(process.env.FAULTS_BREAK)});
	const {service} = house;
	const startedAt = performance.now();
	const delay = monitorEventLoopDelay({resolution: 10});
	delay.enable();
	let isGood = false;
	try {
		const faults = causeFaults(house, size);
		await writeAll(plan, house, size.loadMs);
		say(`  everything is written after ${secondsSince(startedAt)} s`);
		say(`  our own event loop was late by ${Math.round(delay.max / 1e6)} ms at most`);
		const outages = await faults.end();
		say(`  Redis and processes: ${list(outages)}`);

		const verdictNow = () => {
			const {accepted, waiting} = house.proxy.log;
			return judge(plan, {said: service.said(), accepted: new Set(accepted.keys()), waiting});
		};
		const isComplete = () => service.waiting() === 0 && verdictNow().lost.length === 0;
		await until(isComplete, {withinMs: size.timeoutMs, everyMs: LOOK_MS});
		say(`  everything is answered after ${secondsSince(startedAt)} s: ${isComplete()}`);
		if (size.isHurried) {
			await house.ledger.hurry();
		}

		await until(() => house.ledger.isQuiet(), {withinMs: size.timeoutMs, everyMs: LOOK_MS});
		say(`  nothing is on its way any more after ${secondsSince(startedAt)} s`);
		await sleep(500);

		const verdict = verdictNow();
		report(say, {verdict, house, plan});
		isGood = verdict.lost.length + verdict.doubled.length + verdict.wrong.length === 0;
		return verdict;
	} finally {
		await house.close();
		await endFolder(folder, {isGood, say});
	}
}

/** People write evenly over a while. */
async function writeAll(plan: readonly Planned[], {service, accounts}: House, overMs: number): Promise<void> {
	const startedAt = performance.now();
	await Promise.all(
		plan.map(async (planned, index) => {
			await sleep(startedAt + (index * overMs) / plan.length - performance.now());
			await service.write(planned, accounts);
		}),
	);
}

function report(say: Say, {verdict, house, plan}: {verdict: Verdict; house: House; plan: readonly unknown[]}): void {
	const {lost, doubled, wrong, accepted, afterwards, waiting} = verdict;
	const {log} = house.proxy;
	say(
		`  accepted ${accepted} of ${plan.length}, in ${sum(log.accepted.values())} connections, ${sum(log.broken.values())} of them broken`,
	);
	say(`  read that the answer must wait: ${waiting[0]}, of whom ${waiting[1]} got none`);
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
