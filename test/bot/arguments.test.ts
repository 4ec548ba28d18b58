import test from 'ava';
import {z} from 'zod';
import {ArgumentError, arg, parseArguments, splitWords, usageOf} from '../../src/bot/arguments.js';

const Reminder = z.object({minutes: z.number(), text: arg.rest()});

test('keys are positions and the last string takes the rest as it was written', t => {
	t.deepEqual(parseArguments('10 tea  is "ready"', Reminder), {minutes: 10, text: 'tea  is "ready"'});
});

test('an argument may be named', t => {
	const schema = z.object({user: z.string(), limit: z.number().default(3), loud: z.boolean().optional()});

	t.deepEqual(parseArguments('--limit 7 alice --loud yes', schema), {user: 'alice', limit: 7, loud: true});
	t.deepEqual(parseArguments('alice', schema), {user: 'alice', limit: 3});
});

const splits = test.macro({
	exec(t, line: string, words: readonly string[]) {
		t.deepEqual(
			splitWords(line).map(({text}) => text),
			words,
		);
	},
	title: (_, line) => `quotes of every kind hold words together, unbalanced ones are text: ${line}`,
});

test(splits, 'a "b c" d', ['a', 'b c', 'd']);
test(splits, 'a “b c” ‘d e’ «f g»', ['a', 'b c', 'd e', 'f g']);
test(splits, 'it\'s "open', ["it's", '"open']);
test(splits, '"" x', ['', 'x']);

const refuses = test.macro({
	exec(t, line: string, message: string | RegExp) {
		t.throws(() => parseArguments(line, Reminder), {instanceOf: ArgumentError, message});
	},
	title: (_, line, message) => `“${line}” is refused with: ${message}`,
});

test(refuses, '', '`minutes` is missing');
test(refuses, '5', '`text` is missing');
test(refuses, 'soon tea', /^`minutes` cannot be “soon”: /);

test('a word too many is named', t => {
	t.throws(() => parseArguments('1 2', z.object({count: z.number()})), {message: '“2” is one word too many'});
});

test('usage shows what may be left out and what takes the rest', t => {
	t.is(usageOf('in', Reminder), 'in <minutes> <text…>');
	t.is(usageOf('roll', z.object({dice: z.string().default('1d6')})), 'roll [dice…]');
	t.is(usageOf('stop', undefined), 'stop');
});
