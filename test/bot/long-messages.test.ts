// What 10,000 characters from one person may cost: counted in calls and in characters that are read, not in time.

import test from 'ava';
import {z} from 'zod';
import {arg} from '../../src/bot/arg.js';
import {ArgumentError, parseArguments, type Resolver} from '../../src/bot/arguments.js';
import {stripMention} from '../../src/bot/mention.js';
import {createPeople} from '../../src/bot/people.js';
import {quote} from '../../src/bot/quote.js';
import type {Client} from '../../src/client/client.js';

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

test('many people in one message are not all looked up', async t => {
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

test('a mention that is taken out joins nothing into another one', t => {
	const bot = {fullName: 'Steward'};

	t.is(stripMention('@**Steward** who x @@**Steward****all** y', bot), 'who x @ **all** y');
	t.is(stripMention('so @**Steward** ping it', bot), 'so ping it');
	t.is(stripMention('ping (@**Steward**)', bot), 'ping ( )');
});

test("people's words are quoted without effect", t => {
	t.is(
		quote('@**all** @_**Alice|7** @*team* #**general>x** a*b @x'),
		'@\u200b**all** @\u200b_**Alice|7** @\u200b*team* #\u200b**general>x** a*b @x',
	);
});
