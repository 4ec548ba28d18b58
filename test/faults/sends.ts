// `npm run faults sends`: ten thousand messages, or with `--short` a few hundred.

import {runSends, type SendsSize} from './sends-run.js';

const FULL: SendsSize = {
	sends: 10_000,
	overMs: 180_000,
	accounts: 5,
	crons: 3,
	killEveryMs: 2_000,
	troubledShare: 0.1,
	changeEveryMs: 500,
	expiries: 3,
	restartsRedis: true,
	timeoutMs: 180_000,
};

const SHORT: SendsSize = {
	...FULL,
	sends: 300,
	overMs: 12_000,
	accounts: 3,
	crons: 1,
	killEveryMs: 3_000,
	expiries: 1,
	restartsRedis: false,
	timeoutMs: 90_000,
};

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
	process.once(signal, () => process.exit(1));
}

const say = (line: string) => void process.stdout.write(`${line}\n`);
const size = {
	...(process.argv.includes('--short') ? SHORT : FULL),
	...(JSON.parse(process.env.FAULTS_SIZE || '{}') as Partial<SendsSize>),
};
say('sends, with two workers');
const {intended, lost, doubled, disordered, unknown} = await runSends(size, say);
for (const [what, found] of Object.entries({lost, doubled, disordered})) {
	if (found.length > 0) {
		say(`  ${what}: ${found.slice(0, 10).join(' | ')}`);
	}
}

const isTooMuch = unknown > intended / 1_000;
if (isTooMuch) {
	say(`${unknown} parked as unknown, more than 1 in 1,000`);
}

say(`lost ${lost.length}, doubled ${doubled.length} of ${intended}`);
process.exit(lost.length + doubled.length + disordered.length === 0 && !isTooMuch ? 0 : 1);
