// `npm run faults sends`: ten thousand messages at 30 and at 100 a second while Redis gets into every trouble; then messages
// to every kind of conversation whose answers are lost together with the receipts queue. With `--short` a few hundred.

import {type BlindSize, runBlind} from './blind-run.js';
import {runSends, type SendsSize} from './sends-run.js';
import {EVERY_OUTAGE, lengthOf} from './trouble/trouble-redis.js';

const sendsAt = (perSecond: number): SendsSize => ({
	...EVERY_OUTAGE,
	sends: Math.round((perSecond * lengthOf(EVERY_OUTAGE)) / 1_000),
	overMs: lengthOf(EVERY_OUTAGE),
	accounts: 5,
	crons: 3,
	killEveryMs: 15_000,
	troubledShare: 0.1,
	readingMs: 60_000,
	changeEveryMs: 500,
	expiries: 3,
	// As in production.
	settleSeconds: 60,
	timeoutMs: 300_000,
});

const SHORT: SendsSize = {
	...sendsAt(30),
	outages: ['demoted', 'frozen 1 s'],
	quietMs: 2_000,
	sends: 250,
	overMs: 8_000,
	accounts: 3,
	crons: 1,
	killEveryMs: 5_000,
	expiries: 1,
	settleSeconds: 20,
	timeoutMs: 90_000,
};

const RUNS: Record<string, SendsSize> = {'30 messages/s': sendsAt(30), '100 messages/s': sendsAt(100)};
const BLIND: BlindSize = {textsEach: 15, overMs: 30_000, settleSeconds: 20, timeoutMs: 180_000};
const SHORT_BLIND: BlindSize = {textsEach: 2, overMs: 3_000, settleSeconds: 4, timeoutMs: 60_000};

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
	process.once(signal, () => process.exit(1));
}

const say = (line: string) => void process.stdout.write(`${line}\n`);
const isShort = process.argv.includes('--short');
const changes = JSON.parse(process.env.FAULTS_SIZE || '{}') as Partial<SendsSize> & {readonly run?: string};
const isMeant = (name: string) => name.includes(changes.run ?? '');
const total = {lost: 0, doubled: 0, wrong: 0, intended: 0};

interface Found {
	readonly intended: number;
	readonly lost: readonly string[];
	readonly doubled: readonly string[];
	/** What else is not as it should be. */
	readonly wrong: Readonly<Record<string, readonly string[]>>;
}

function add({intended, lost, doubled, wrong}: Found): void {
	for (const [what, found] of Object.entries({lost, doubled, ...wrong})) {
		if (found.length > 0) {
			say(`  ${what}: ${found.slice(0, 10).join(' | ')}`);
		}
	}

	total.intended += intended;
	total.lost += lost.length;
	total.doubled += doubled.length;
	total.wrong += Object.values(wrong).flat().length;
}

for (const [name, size] of Object.entries(isShort ? {'in short': SHORT} : RUNS).filter(([name]) => isMeant(name))) {
	say(`sends with Redis in trouble, ${name}`);
	const {disordered, unknown, ...found} = await runSends({...size, ...changes}, say);
	const tooManyUnknown = unknown > found.intended / 1_000 ? [`${unknown} of ${found.intended}`] : [];
	add({...found, wrong: {disordered, tooManyUnknown}});
}

if (isMeant('blind')) {
	say('sends whose answers and receipts queues are lost');
	const {unknownThoughSeen, ...found} = await runBlind(isShort ? SHORT_BLIND : BLIND, say);
	add({...found, wrong: {unknownThoughSeen}});
}

say(`lost ${total.lost}, doubled ${total.doubled} of ${total.intended}`);
process.exit(total.lost + total.doubled + total.wrong === 0 ? 0 : 1);
