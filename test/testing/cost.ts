// Run by test-bot.test.ts: prints what a test with the kit costs, as the median of many, in units of a piece of work that
// takes about a millisecond. On a busy machine both slow down by the same factor.

import remind from '../../bots/remind.js';
import {testBot} from '../../src/testing/index.js';

async function cpuOf(work: () => unknown): Promise<number> {
	const before = process.cpuUsage();
	await work();
	const {user, system} = process.cpuUsage(before);
	return user + system;
}

const median = (costs: readonly number[]) => costs.toSorted((a, b) => a - b)[Math.floor(costs.length / 2)] ?? 0;

const units: number[] = [];
const costs: number[] = [];
for (let round = 0; round < 9; round++) {
	units.push(await cpuOf(() => Array.from({length: 12_000}, (_, n) => String((n * 7919) % 12_007)).sort().length));
	costs.push(
		await cpuOf(async () => {
			const kit = await testBot(remind, {name: 'Remind'});
			await kit.alice.says('#general > lunch', '@**Remind** me in 10 minutes tea');
			await kit.wait('10 minutes');
		}),
	);
}

console.log(median(costs) / median(units));
