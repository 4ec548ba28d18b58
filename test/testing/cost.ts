// Run by test-bot.test.ts: prints what a test with the kit costs, as the median of many, in milliseconds of CPU.

import remind from '../../bots/remind.js';
import {testBot} from '../../src/testing/index.js';

const costs: number[] = [];
for (let round = 0; round < 40; round++) {
	const before = process.cpuUsage();
	const kit = await testBot(remind, {name: 'Remind'});
	await kit.alice.says('#general > lunch', '@**Remind** me in 10 minutes tea');
	await kit.wait('10 minutes');
	const {user, system} = process.cpuUsage(before);
	costs.push((user + system) / 1_000);
}

console.log(costs.toSorted((a, b) => a - b)[costs.length / 2]);
