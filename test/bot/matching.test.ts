// Which handler a message gets, and what its words become, compared with simple models.

import test from 'ava';
import fc from 'fast-check';
import {z} from '../../src/api/zod.js';
import {parseArguments} from '../../src/bot/arguments/arguments.js';
import {bot} from '../../src/bot/bot.js';
import {talk} from '../helpers/talk.js';

const TRIGGERS = ['mention', 'direct_message', 'channel_message'] as const;
const SPACE = fc.constantFrom(' ', '  ', '\n', '\t');

/** Few words, so that names, aliases, patterns and messages often share some. */
const word = fc.constantFrom('go', 'list', 'add', 'now');
const name = fc.array(word, {minLength: 1, maxLength: 4}).map(words => words.join(' '));
const declared = fc.record({
	/** The first half are commands, the rest their aliases. */
	names: fc.uniqueArray(name, {maxLength: 6}),
	patterns: fc.uniqueArray(word, {maxLength: 2}),
	triggers: fc.subarray([...TRIGGERS]),
});
const written = fc.record({
	trigger: fc.constantFrom(...TRIGGERS),
	words: fc.array(fc.tuple(fc.oneof(word, fc.constantFrom('help', 'x')), SPACE, fc.boolean()), {
		minLength: 1,
		maxLength: 6,
	}),
});

test('a message gets the longest command that it begins with, then the first pattern, then the trigger, then help', async t => {
	await fc.assert(
		fc.asyncProperty(declared, written, async ({names, patterns, triggers}, {trigger, words}) => {
			const commands = names.slice(0, Math.ceil(names.length / 2));
			const aliasesOf = (index: number) => names.slice(commands.length).filter((_, at) => at === index);
			const speaker = bot({about: 'HELP'});
			commands.forEach((command, index) => {
				speaker.command(
					command,
					{about: 'x', aliases: aliasesOf(index), args: z.object({rest: z.string().optional()})},
					(ctx, {rest}) => ctx.reply(`command ${command}: ${rest ?? ''}`),
				);
			});
			for (const pattern of patterns) {
				speaker.hears(new RegExp(`\\b${pattern}\\b`, 'i'), ctx => ctx.reply(`hears ${pattern}`));
			}

			for (const on of triggers) {
				speaker.on(on, ctx => ctx.reply(`on ${on}`));
			}

			const said = words.map(([text, , isLoud]) => (isLoud ? text.toUpperCase() : text));
			const text = said.map((text, index) => text + (index === said.length - 1 ? '' : words[index]?.[1])).join('');
			const expected = model({names, commands, patterns, triggers}, {trigger, said, text});

			const [answer, ...more] = await talk(speaker).say({text, trigger});

			t.deepEqual(more, []);
			t.is(answer === undefined || expected !== 'help' ? answer : 'help', expected, JSON.stringify(text));
		}),
		{numRuns: 300},
	);
});

interface Heard {
	readonly trigger: (typeof TRIGGERS)[number];
	readonly said: readonly string[];
	readonly text: string;
}

interface Declared {
	readonly names: readonly string[];
	readonly commands: readonly string[];
	readonly patterns: readonly string[];
	readonly triggers: readonly string[];
}

/** What docs/bots.md says under “Which handler a message gets”. */
function model({names, commands, patterns, triggers}: Declared, {trigger, said, text}: Heard): string | undefined {
	const onTrigger = triggers.includes(trigger) ? `on ${trigger}` : undefined;
	if (trigger === 'channel_message') {
		return onTrigger;
	}

	const lower = said.map(word => word.toLowerCase());
	for (let length = 4; length > 0; length--) {
		const at = names.indexOf(lower.slice(0, length).join(' '));
		if (length <= lower.length && at !== -1) {
			const pieces = text.split(/\s+/);
			const rest =
				pieces.length === length
					? ''
					: text
							.split(/(\s+)/)
							.slice(length * 2)
							.join('');
			return `command ${commands[at] ?? commands[at - commands.length]}: ${rest}`;
		}
	}

	const pattern = patterns.find(pattern => lower.includes(pattern));
	return pattern === undefined ? (lower[0] === 'help' ? 'help' : (onTrigger ?? 'help')) : `hears ${pattern}`;
}

const QUOTES = ['""', "''", '“”', '„“', '‘’', '«»'] as const;
const Options = z.object({
	first: z.string(),
	count: z.number().default(1),
	isLoud: z.boolean().default(false),
	tags: z.array(z.string()).default([]),
	text: z.string().default(''),
});

/** Text without what has a meaning: quotes, commas, leading hyphens, and the values of flags. */
const plain = fc
	.stringMatching(/^[a-zé日][a-zé日.!?-]{0,6}$/)
	.filter(text => !/^(true|yes|on|false|no|off)$/.test(text));
const spaced = fc.array(plain, {minLength: 1, maxLength: 3}).map(words => words.join(' '));
const quoted = (text: string, quotes: string) => `${quotes[0]}${text}${quotes[1]}`;
const values = fc.record({
	first: spaced,
	count: fc.integer({min: -99, max: 99}),
	isLoud: fc.boolean(),
	tags: fc.array(plain, {minLength: 1, maxLength: 3}),
	text: spaced,
});
const style = fc.record({
	quotes: fc.constantFrom(...QUOTES),
	space: SPACE,
	/** Which arguments are written with their names, and in which order these stand. */
	named: fc.shuffledSubarray(['first', 'count', 'tags'] as const),
	isFlagNamed: fc.constantFrom('bare', 'yes', 'true'),
});

test('arguments that are written in any order, with any quotes, are read as they were meant', async t => {
	await fc.assert(
		fc.asyncProperty(values, style, async (values, {quotes, space, named, isFlagNamed}) => {
			const write = {
				first: quoted(values.first, quotes),
				count: String(values.count),
				tags: values.tags.join(`,${space}`),
			};
			const positions = (['first', 'count', 'tags'] as const)
				.filter(key => !named.includes(key))
				.map(key => write[key]);
			const flag = values.isLoud ? `--isLoud${isFlagNamed === 'bare' ? '' : ` ${isFlagNamed}`}` : '--no-isLoud';
			const line = [flag, ...named.map(key => `--${key}${space}${write[key]}`), ...positions, values.text].join(space);

			const read = await parseArguments(line, Options, {
				now: 0,
				zone: async () => 'UTC',
				user: async () => undefined,
				channel: async () => undefined,
			});

			t.deepEqual(read, values, line);
		}),
		{numRuns: 300},
	);
});
