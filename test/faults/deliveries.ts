// `npm run faults deliveries`: a thousand deliveries with one host, and a thousand with two. With `--short` only 80, with two.

import {type RunSize, runDeliveries} from './deliveries-run.js';

const FULL: Omit<RunSize, 'hosts'> = {
	deliveries: 1000,
	cutsOfEach: 45,
	mortals: 12,
	freezes: 2,
	slowestMs: 12_000,
	receiversPerHost: 3,
	loadMs: 90_000,
	killEveryMs: 5_000,
	killWorkerEveryMs: 25_000,
	stepEveryMs: 7_000,
	restartRedisAt: 0.3,
	pauseRedisAt: 0.65,
	pauseMs: 5_000,
	timeoutMs: 150_000,
	isHurried: false,
};

const SHORT: RunSize = {
	deliveries: 80,
	cutsOfEach: 3,
	mortals: 3,
	freezes: 0,
	slowestMs: 9_000,
	hosts: 2,
	receiversPerHost: 2,
	loadMs: 12_000,
	killEveryMs: 4_000,
	killWorkerEveryMs: 8_000,
	stepEveryMs: 3_000,
	// Outages are for the long form: a receiver that is killed during one may repeat, as docs/guarantees.md says.
	restartRedisAt: 2,
	pauseRedisAt: 2,
	pauseMs: 0,
	timeoutMs: 90_000,
	isHurried: true,
};

// What it has started ends with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
	process.once(signal, () => process.exit(1));
}

const say = (line: string) => void process.stdout.write(`${line}\n`);
const isShort = process.argv.includes('--short');
const size = {
	...(isShort ? SHORT : FULL),
	...(JSON.parse(process.env.FAULTS_SIZE || '{}') as Partial<RunSize>),
};
if (process.env.FAULTS_BREAK) {
	say(`without the ${process.env.FAULTS_BREAK}: this is to fail`);
}

const total = {lost: 0, doubled: 0, wrong: 0, accepted: 0};
for (const hosts of 'hosts' in size ? [Number(size.hosts)] : [1, 2]) {
	say(`deliveries, with ${hosts} ${hosts === 1 ? 'host' : 'hosts'}`);
	const {lost, doubled, wrong, accepted} = await runDeliveries({...size, hosts}, say);
	total.lost += lost.length;
	total.doubled += doubled.length;
	total.wrong += wrong.length;
	total.accepted += accepted;
}

if (total.wrong > 0) {
	say(`${total.wrong} messages that nobody should have to read`);
}

// Outages of Redis may last until nobody offers a delivery again. The short form has none.
const isRefused = isShort && total.accepted < size.deliveries;
if (isRefused) {
	say(`accepted only ${total.accepted} of ${size.deliveries}`);
}

say(`lost ${total.lost}, doubled ${total.doubled} of ${total.accepted}`);
process.exit(total.lost + total.doubled + total.wrong === 0 && !isRefused ? 0 : 1);
