// `npm run faults attack`: strangers, and people in the chat, do their worst beside a good bot. With `--short` each of them
// for a second.

import {type AttackSize, runAttack} from './attack-run.js';

const FULL: AttackSize = {quietMs: 20_000, attackMs: 6_000, perSecond: 20};
const SHORT: AttackSize = {quietMs: 4_000, attackMs: 1_000, perSecond: 20};

/** What a good bot may take beside an attack; on a machine that is slow by itself, so many times as long as before. */
const MOST_MS = 1_000;
const MOST_TIMES = 3;

/** What memory may have grown by when all is over. */
const MOST_GROWTH = 1.2;

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
	process.once(signal, () => process.exit(1));
}

const say = (line: string) => void process.stdout.write(`${line}\n`);
const size = process.argv.includes('--short') ? SHORT : FULL;
say('attack, with 2 receivers');
const {before, beside, memoryBefore, memoryAfter, failed, died} = await runAttack(size, MOST_GROWTH, say);
say(`p99 ${beside} ms beside attacks, ${before} ms before; memory ${memoryAfter} MB, ${memoryBefore} MB before`);
say(`failed answers ${failed}, receivers that died ${died}`);
const isFast = beside < Math.max(MOST_MS, before * MOST_TIMES);
process.exit(isFast && memoryAfter <= memoryBefore * MOST_GROWTH && failed + died === 0 ? 0 : 1);
