// What a bot may say: texts are checked before anything is stored. Times and durations in words.

import test from 'ava';
import {z} from '../../src/api/zod.js';
import {arg} from '../../src/bot/arguments/arg.js';
import {ArgumentError, parseArguments, type Resolver} from '../../src/bot/arguments/arguments.js';
import {readDuration, readMoment, sayDuration} from '../../src/bot/arguments/moment.js';
import {createPeople} from '../../src/bot/arguments/people.js';
import {bot} from '../../src/bot/bot.js';
import type {Context} from '../../src/bot/context/context.js';
import {openConversation} from '../../src/bot/context/conversation.js';
import {quote} from '../../src/bot/context/quote.js';
import {stripMention} from '../../src/bot/mention.js';
import type {Client} from '../../src/client/client.js';
import {talk} from '../helpers/talk.js';

const LONG = 'x'.repeat(10_001);

/** What a handler gets for an error when it does that. */
async function errorOf(act: (ctx: Context) => Promise<unknown>): Promise<unknown> {
	let thrown: unknown;
	const host = talk(
		bot({about: 'x'}).on('mention', async ctx => {
			await act(ctx).catch(error => {
				thrown = error;
			});
		}),
	);
	await host.say({text: '@**Echo** x'});
	return thrown;
}

const actions: Record<string, (ctx: Context, text: string) => Promise<unknown>> = {
	reply: (ctx, text) => ctx.reply(text),
	send: (ctx, text) => ctx.send({channel: 'general', topic: 'x'}, text),
	schedule: (ctx, text) => ctx.schedule(new Date(9e12), ctx.here, text),
	'drafts().put': (ctx, text) => ctx.drafts('alice').put('key', ctx.here, text),
};

for (const [method, act] of Object.entries(actions)) {
	test(`ctx.${method}() refuses a text that the service would cut`, async t => {
		const thrown = await errorOf(ctx => act(ctx, LONG));

		t.true(thrown instanceof RangeError);
		t.regex(String(thrown), new RegExp(`ctx\\.${method.replace('()', '\\(\\)')}\\(\\).*10000 characters, got 10001`));
		t.is(await errorOf(ctx => act(ctx, '🍲'.repeat(10_000))), undefined, 'characters count, not code units');
	});
}

test('halves of surrogate pairs and null bytes are replaced in everything that a bot posts', async t => {
	const host = talk(
		bot({about: 'x'}).on('mention', async ctx => {
			await ctx.reply('a\ud800b\0c', {choices: ['\udc00']});
			await ctx.send({channel: 'general\ud800', topic: 'top\0ic'}, '\ud83c');
		}),
	);

	t.deepEqual(await host.say({text: '@**Echo** x'}), ['a\ufffdb\ufffdc']);
	t.deepEqual(host.sent, [{target: {channel: 'general\ufffd', topic: 'top\ufffdic'}, text: '\ufffd', dueAt: 0}]);
});

test('a session has a limit', t => {
	const schema = z.object({text: z.string().default('')});
	const conversation = openConversation<{text: string}>({
		schema,
		json: undefined,
		now: 0,
		owner: 'x',
		log: {warn() {}},
	});
	conversation.session.text = 'x'.repeat(70_000);

	t.throws(() => conversation.save(), {instanceOf: RangeError, message: /ctx\.session with at most 65536 bytes/});
});

// What 10,000 characters from one person may cost: counted in calls and in characters that are read, not in time.

const LENGTH = 10_000;

/** A service that counts what it is asked. */
function countingClient() {
	let calls = 0;
	const count = async (answer: object) => {
		calls += 1;
		return answer;
	};
	const client = {
		getUser: () => count({user: {user_id: 1, full_name: 'Alice', email: 'a@x', role: 400, timezone: ''}}),
		getUsers: () => count({members: []}),
		getStreams: () => count({streams: []}),
	};
	// Only these are asked for.
	return {client: client as unknown as Client, calls: () => calls};
}

const kinds = {
	when: [arg.when(), 'noon '],
	duration: [arg.duration(), '1h '],
	user: [arg.user(), '@**Alice|7** '],
	channel: [arg.channel(), '#**general** '],
	rest: [arg.rest(), 'word '],
	number: [z.number(), '7 '],
} as const;

for (const [kind, [field, word]] of Object.entries(kinds)) {
	test(`a line of ${LENGTH} characters for \`${kind}\` makes few calls`, async t => {
		const {client, calls} = countingClient();
		const resolver: Resolver = {...createPeople(() => client, 9), now: 0};
		const schema = z.object({first: field as z.ZodType, second: (field as z.ZodType).optional()});
		const lines = [
			word.repeat(LENGTH / word.length),
			`--first ${word}`.repeat(LENGTH / (word.length + 8)),
			'-'.repeat(LENGTH),
			'"'.repeat(LENGTH),
			'1'.repeat(LENGTH),
		];
		for (const line of lines) {
			await parseArguments(line, schema, resolver).catch(error =>
				t.true(error instanceof ArgumentError, String(error)),
			);
		}

		t.true(calls() <= 10, `${calls()} calls`);
	});
}

test('an option that is given twice is refused', async t => {
	const {client} = countingClient();
	const resolver: Resolver = {...createPeople(() => client, 9), now: 0};

	await t.throwsAsync(
		parseArguments('--when noon --when noon', z.object({when: arg.when(), text: arg.rest()}), resolver),
		{
			instanceOf: ArgumentError,
			message: '`--when` is given twice',
		},
	);
});

test('only some of many people in one message are looked up', async t => {
	const {client, calls} = countingClient();
	const people = createPeople(() => client, 9);

	await t.throwsAsync(
		(async () => {
			for (let id = 1; id <= 1_000; id++) {
				await people.user(`@**Alice|${id}**`);
			}
		})(),
		{instanceOf: ArgumentError},
	);
	t.is(calls(), 10);
});

test('removing a mention does not join the words around it into another mention', t => {
	const bot = {fullName: 'Steward'};

	t.is(stripMention('@**Steward** who x @@**Steward****all** y', bot), 'who x @ **all** y');
	t.is(stripMention('so @**Steward** ping it', bot), 'so ping it');
	t.is(stripMention('ping (@**Steward**)', bot), 'ping ( )');
});

test('mentions in quoted words have no effect', t => {
	t.is(
		quote('@**all** @_**Alice|7** @*team* #**general>x** a*b @x'),
		'@\u200b**all** @\u200b_**Alice|7** @\u200b*team* #\u200b**general>x** a*b @x',
	);
});

// Times and durations in words.

const now = Date.parse('2026-11-21T10:00:00Z');

test('the longest beginning of a text that is a time counts as the time', t => {
	const read: [string, string | undefined, string][] = [
		['in 1 minute before regen', 'in 1 minute', '10:01'],
		['in 1h from now tea', 'in 1h from now', '11:00'],
		['2 hours from now', '2 hours from now', '12:00'],
		['in one hour and a half tea', 'in one hour and a half', '11:30'],
		['in two and a half hours', 'in two and a half hours', '12:30'],
		['in a quarter of an hour call', 'in a quarter of an hour', '10:15'],
		['in three quarters of an hour', 'in three quarters of an hour', '10:45'],
		['in an hour and a half', 'in an hour and a half', '11:30'],
		['in twenty minutes tea', 'in twenty minutes', '10:20'],
		['in half an hour', 'in half an hour', '10:30'],
		['at 11:15 tea', 'at 11:15', '11:15'],
		['may we go', undefined, ''],
		['5 apples', undefined, ''],
		['in Berlin', undefined, ''],
	];
	for (const [text, words, time] of read) {
		const found = readMoment(text, {now, zone: 'UTC'});
		t.is(found && text.slice(0, found.length), words, text);
		t.is(found?.value.toISOString().slice(11, 16) ?? '', time, text);
	}
});

test('durations are read and written in words', t => {
	const read: [string, number | undefined][] = [
		['90 minutes', 90],
		['1h30m', 90],
		['one hour and a half', 90],
		['2 days and 3 hours', 51 * 60],
		['1,5 h', 90],
		['three quarters of an hour', 45],
		['twelve minutes', 12],
		['a lot', undefined],
		['one', undefined],
		['an apple', undefined],
	];
	for (const [text, minutes] of read) {
		t.is(readDuration(text)?.value, minutes && minutes * 60_000, text);
	}

	t.is(sayDuration(90 * 60_000), '1 hour and 30 minutes');
	t.is(sayDuration(26 * 3_600_000), '1 day and 2 hours');
	t.is(sayDuration(1_000), '1 second');
	t.is(sayDuration(0), '0 seconds');
});
