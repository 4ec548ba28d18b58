import test from 'ava';
import {testBot} from 'bothy/testing';
import dice from '../../bots/dice.js';

const roll = async (text: string) => (await (await testBot(dice)).alice.dm(text)).join('\n');

test('by default, one die with six sides is rolled', async t => {
	t.regex(await roll('roll'), /^:dice: [1-6]$/);
	t.regex(await roll('roll d20'), /^:dice: ([1-9]|1\d|20)$/);
});

test('several dice are added up', async t => {
	const [, sum, ...rolled] = /^:dice: (?=.*\*\*(\d+)\*\*)(\d+) \+ (\d+) \+ (\d+) = /.exec(await roll('roll 3d6')) ?? [];

	t.is(
		Number(sum),
		rolled.reduce((total, one) => total + Number(one), 0),
	);
	t.true(rolled.length === 3 && rolled.every(one => Number(one) >= 1 && Number(one) <= 6));
});

test('dice without a number or sides are refused', async t => {
	t.is(await roll('roll 0d6'), 'I need at least one die with at least one side, such as `2d6`.');
	t.is(await roll('roll 2d0'), 'I need at least one die with at least one side, such as `2d6`.');
});

test('an invalid dice expression is answered with the usage', async t => {
	t.is(await roll('roll high'), '`dice` cannot be “high”: expected something like `2d6`. Usage: `roll [dice…]`');
});
