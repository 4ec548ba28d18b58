// `npm run faults deliveries`: a thousand deliveries with one host, and a thousand with two, while receivers die and
// connections break; then two hosts at 30 and at 100 messages a second while Redis gets into every trouble. With `--short` a
// little of all that.

import {type RunSize, runDeliveries} from './deliveries-run.js';
import {EVERY_OUTAGE, lengthOf} from './trouble/trouble-redis.js';

const NEVER = 2 ** 31 - 1;

const KILLS: RunSize = {
	deliveries: 1000,
	cutsOfEach: 45,
	mortals: 12,
	freezes: 2,
	slowestMs: 12_000,
	hosts: 2,
	receiversPerHost: 3,
	workers: 1,
	hasWitness: false,
	loadMs: 90_000,
	killEveryMs: 5_000,
	killWorkerEveryMs: 25_000,
	stepEveryMs: 7_000,
	outages: ['killed', 'frozen 4 s'],
	quietMs: 25_000,
	strikes: false,
	timeoutMs: 150_000,
	isHurried: false,
};

const outagesAt = (perSecond: number): RunSize => ({
	...KILLS,
	...EVERY_OUTAGE,
	deliveries: Math.round((perSecond * lengthOf(EVERY_OUTAGE)) / 1_000),
	cutsOfEach: 0,
	mortals: 0,
	freezes: 0,
	slowestMs: 3_000,
	receiversPerHost: 1,
	workers: 2,
	hasWitness: true,
	loadMs: lengthOf(EVERY_OUTAGE),
	killEveryMs: NEVER,
	killWorkerEveryMs: NEVER,
	stepEveryMs: NEVER,
});

const SHORT: RunSize = {
	...KILLS,
	deliveries: 200,
	cutsOfEach: 4,
	mortals: 3,
	freezes: 0,
	slowestMs: 9_000,
	receiversPerHost: 1,
	workers: 2,
	loadMs: 10_000,
	killEveryMs: 4_000,
	killWorkerEveryMs: NEVER,
	stepEveryMs: 3_000,
	outages: ['demoted', 'frozen 1 s'],
	quietMs: 2_000,
	strikes: true,
	timeoutMs: 90_000,
	isHurried: true,
};

const RUNS: Record<string, RunSize> = {
	'with one host': {...KILLS, hosts: 1},
	'with two hosts': KILLS,
	'with Redis in trouble, 30 messages/s': outagesAt(30),
	'with Redis in trouble, 100 messages/s': outagesAt(100),
};

// What it has started ends with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
	process.once(signal, () => process.exit(1));
}

const say = (line: string) => void process.stdout.write(`${line}\n`);
const isShort = process.argv.includes('--short');
const runs = isShort ? {'in short': SHORT} : RUNS;
const changes = JSON.parse(process.env.FAULTS_SIZE || '{}') as Partial<RunSize> & {readonly run?: string};
if (process.env.FAULTS_BREAK) {
	say(`without the ${process.env.FAULTS_BREAK}: this is to fail`);
}

const total = {lost: 0, doubled: 0, wrong: 0, accepted: 0, written: 0};
for (const [name, size] of Object.entries(runs).filter(([name]) => name.includes(changes.run ?? ''))) {
	say(`deliveries, ${name}`);
	const {lost, doubled, wrong, accepted} = await runDeliveries({...size, ...changes}, say);
	total.lost += lost.length;
	total.doubled += doubled.length;
	total.wrong += wrong.length;
	total.accepted += accepted;
	total.written += changes.deliveries ?? size.deliveries;
}

if (total.wrong > 0) {
	say(`${total.wrong} messages that nobody should have to read`);
}

const isRefused = total.accepted < total.written;
if (isRefused) {
	say(`accepted only ${total.accepted} of ${total.written}`);
}

say(`lost ${total.lost}, doubled ${total.doubled} of ${total.accepted}`);
process.exit(total.lost + total.doubled + total.wrong === 0 && !isRefused ? 0 : 1);
