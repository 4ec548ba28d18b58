// The commands for sends and schedules, run as an operator runs them while a host is running.

import {randomUUID} from 'node:crypto';
import test, {type ExecutionContext} from 'ava';
import {z} from '../../src/api/zod.js';
import {bot} from '../../src/bot/bot.js';
import {CommandError} from '../../src/cli/once.js';
import {parseTarget, parseTime} from '../../src/cli/send.js';
import {createOutboxStore} from '../../src/outbox/store.js';
import type {BotAccount} from '../../src/realm/index.js';
import {accountTag} from '../../src/redis/account-key.js';
import {openHouse} from '../helpers/house.js';
import {connect} from '../helpers/redis.js';
import {until} from '../helpers/until.js';

async function start(t: ExecutionContext) {
	const house = await openHouse(t, {bots: {echo: bot({about: 'x'})}});
	const {run, signIn} = house;
	return {
		...house,
		alice: await signIn('alice'),
		/** Types it until it prints what fits. */
		async runUntil(fits: RegExp, ...args: string[]): Promise<string> {
			let output = '';
			await until(
				async () => {
					({output} = await run(...args));
					return fits.test(output);
				},
				{everyMs: 100},
			);
			return output;
		},
	};
}

test('a message from the terminal is posted at once', async t => {
	const {run, runUntil, alice} = await start(t);

	const {code, output} = await run('send', 'echo', '#general > lunch', 'From the terminal');
	const {id} = await alice.nextWith(content => content === 'From the terminal');

	t.is(code, 0);
	t.regex(output, new RegExp(`^cli-[\\da-f-]{36}/1 was posted as message ${id}\\.\n$`));
	t.regex((await run('send', 'echo', '#general > lunch', 'Again', '--no-wait')).output, /\/1 is posted at once\.\n$/);
	await alice.nextWith(content => content === 'Again');
	await runUntil(/^Nothing waits, and nothing failed\.\n$/, 'sends');
});

test('a message to a target that does not exist is refused at once', async t => {
	const {run} = await start(t);

	const channel = await run('send', 'echo', '#nowhere > x', 'text');
	const person = await run('send', 'echo', '4242', 'text', '--at', 'in 3 hours');

	t.deepEqual([channel.code, person.code], [1, 1]);
	t.regex(channel.output, /^bothy: echo cannot write there: .*\(BAD_REQUEST\)\n$/);
	t.regex(person.output, /^bothy: echo cannot write there: /);
	t.is((await run('sends')).output, 'Nothing waits, and nothing failed.\n');
});

test('a site that does not answer is logged once, and `sends` shows it as the reason', async t => {
	const {run, runUntil, log, realm} = await start(t);
	await realm.close();

	const sent = await run('send', 'echo', '#general > x', 'text', '--no-wait');
	const listed = await run('sends');

	t.regex(sent.output, /The target was not checked: No answer to getStreamId/);
	t.regex(listed.output, /^ {2}#general > x {2}<4 characters>$/m);
	await runUntil(/^ {2}.*ECONNREFUSED/m, 'sends');
	const waiting = await run('send', 'echo', '#general > x', 'another');
	t.is(waiting.code, 1);
	t.regex(waiting.output, /\/1 is not posted yet: .*ECONNREFUSED/);
	t.is(log().split('a site does not answer').length - 1, 1);
	t.regex(
		(await run('sends', '--json')).output,
		/"target":\{"channel":"general","topic":"x"\},"dueAt":null,"error":".*ECONNREFUSED/,
	);
});

test('scheduled messages are listed without their text, and can be cancelled', async t => {
	const {run} = await start(t);
	t.is((await run('schedules', '--bot', 'echo')).output.split('.')[0], 'Nothing is scheduled');

	const sent = await run('send', 'echo', 'alice@bothy.example', 'a secret', '--at', 'in 3 hours', '--json');
	const id = String(JSON.parse(sent.output).id).replace('/1', '');
	const listed = await run('schedules', '--bot', 'echo');
	const json = JSON.parse((await run('schedules', '--bot', 'echo', '--json', '--text')).output);

	t.regex(
		listed.output,
		new RegExp(`^DUE .*\\n\\d\\d-.* {2}echo {2}${id}\\n {2}waiting\\n {2}alice@bothy\\.example {2}<8 characters>\\n$`),
	);
	t.like(json, {id, kind: 'once', text: 'a secret', bot: 'echo', target: {dm: ['alice@bothy.example']}});
	t.true(
		[...listed.output.split('\n')].every(line => line.length <= 80),
		listed.output,
	);
	t.regex((await run('sends', '--status', 'waiting')).output, /^BOT .*\necho {2}cli-/);
	t.is((await run('schedules', 'cancel', id)).output, `Cancelled ${id} of echo.\n`);
	t.regex((await run('schedules', '--bot', 'echo')).output, /^Nothing is scheduled/);
	t.like(await run('schedules', 'cancel', id), {code: 1});
});

test('what is due later runs at once when somebody says so, and the ledger says who asked', async t => {
	const room = {channel: 'general', topic: 'tea'};
	const tea = bot({about: 'x'})
		.on('direct_message', async ctx => {
			await ctx.later(new Date(Date.now() + 3_600_000), 'nap', {});
			await ctx.schedule({pattern: '0 0 1 1 *'}, room, 'A new year', {key: 'year'});
		})
		.later('nap', z.object({}), ctx => ctx.send(room, `Nap ${ctx.planned.getTime() < Date.now() + 60_000}`))
		.cron('brew', {pattern: '0 0 1 1 *'}, ctx => ctx.send(room, 'Brewed'));
	const {run, signIn, settled} = await openHouse(t, {bots: {tea}});
	const alice = await signIn('alice');
	await alice.dm('tea', 'plan');
	const list = async () =>
		(await run('schedules', '--json')).output
			.trim()
			.split('\n')
			.map(line => JSON.parse(line));
	await until(async () => (await list()).length === 3);
	const id = (await list()).find(({handler}) => handler === 'nap').id;

	t.is((await run('schedules', 'run', id)).output, `Runs ${id} of tea now.\n`);
	await alice.nextWith(content => content === 'Nap true');
	t.is((await run('schedules', 'run', 'year')).code, 0);
	await alice.nextWith(content => content === 'A new year');
	const brew = (await list()).find(({handler}) => handler === 'brew').id;
	t.is((await run('schedules', 'run', brew)).code, 0);
	await alice.nextWith(content => content === 'Brewed');
	await settled();

	const left = await list();
	t.deepEqual(
		left.map(({kind, counts}) => [kind, counts.byHand, counts.fired]),
		[
			['cron', 1, 0],
			['cron', 1, 0],
		],
	);
	const {output} = await run('deliveries', '--json');
	const ids = output
		.trim()
		.split('\n')
		.map(line => JSON.parse(line).id);
	for (const [kind, work] of [
		['later-', 'later nap'],
		['cron-', 'cron brew'],
	] as const) {
		const page = await run(
			'deliveries',
			ids.find(one => one.startsWith(kind)),
		);
		t.regex(page.output, new RegExp(`^Work +${work}, run by hand$`, 'm'));
	}

	t.like(await run('schedules', 'run', id), {code: 1});
});

test('control characters are escaped, also in JSON', async t => {
	const {run} = await start(t);
	await run('send', 'echo', '#general > \u009b2Jgnol\u202e', 'x\u009b2J', '--at', 'in 3 hours');

	for (const words of [['schedules'], ['sends', '--text'], ['schedules', '--json', '--text'], ['sends', '--json']]) {
		const {output} = await run(...words);
		t.notRegex(output, /[\u0080-\u009f\u202e]/);
		t.regex(output, /gnol\\u202e/);
	}
});

test('failed sends are listed with their reasons, and can be sent again or marked as sent', async t => {
	const {run, runUntil, env, accounts} = await start(t);
	// The channel is gone by the time its message is due, as far as anybody can tell.
	const outboxes = createOutboxStore(await connect(t, env.REDIS_URL ?? ''));
	const ref = {account: accountTag(accounts.echo as BotAccount), id: `cli-${randomUUID()}`};
	const target = JSON.stringify({channel: 'nowhere', topic: 'x'});
	await outboxes.put(ref, {n: 1, kind: 'send', target, text: 'text', dueAt: 0, mayBePosted: false});
	const id = `${ref.id}/1`;
	const failed =
		/\necho {2}cli-.* failed {2}.*\n {2}#nowhere > x {2}<4 characters>\n {2}Channel 'nowhere' does not exist/;
	await runUntil(failed, 'sends', '--status', 'failed');
	t.is((await run('sends', '--fail')).code, 1);
	t.regex((await run('sends', 'resolve', id)).output, /Expected --sent .* To post it again: bothy sends retry cli-/);
	t.is((await run('sends', 'retry', id)).output, `${id} is posted again.\n`);
	await runUntil(failed, 'sends', '--status', 'failed');

	t.is((await run('sends', 'resolve', id, '--sent')).output, `${id} counts as sent.\n`);
	t.like(await run('sends', '--fail'), {code: 0, output: 'Nothing waits, and nothing failed.\n'});
	t.regex(
		(await run('sends', 'resolve', id, '--sent')).output,
		/Expected a send that failed or is unknown, but .* is sent 0/,
	);
	t.regex((await run('sends', 'resolve', 'x/1', '--sent')).output, /Expected the id of a send, found "x\/1"/);
});

test('a target is a channel and topic, or people', t => {
	t.deepEqual(parseTarget('#general > lunch > today'), {channel: 'general', topic: 'lunch > today'});
	t.deepEqual(parseTarget('general>'), {channel: 'general', topic: ''});
	t.deepEqual(parseTarget('9, 10'), {dm: [9, 10]});
	t.deepEqual(parseTarget('a@example.com,b@example.com'), {dm: ['a@example.com', 'b@example.com']});
	for (const text of ['general', '', '9,', '> lunch', '# > lunch', '1e3']) {
		t.throws(() => parseTarget(text), {
			instanceOf: CommandError,
			message: `Expected "#channel > topic", or comma-separated emails or user IDs, found "${text}"`,
		});
	}
});

test('a time may be in words, and must be in the future', t => {
	const now = new Date('2026-11-21T10:00:00');

	t.is(parseTime('tomorrow 9:00', now), new Date('2026-11-22T09:00:00').getTime());
	t.is(parseTime('in 20 minutes', now), now.getTime() + 20 * 60_000);
	t.is(parseTime('2026-11-23T09:00', now), new Date('2026-11-23T09:00:00').getTime());
	t.is(parseTime(' 9am on Monday ', now), new Date('2026-11-23T09:00:00').getTime());
	t.is(parseTime('2026-11-23T09:00Z', now), Date.UTC(2026, 10, 23, 9));
	t.throws(() => parseTime('yesterday', now), {instanceOf: CommandError, message: /in the future/});
	t.throws(() => parseTime('soonish', now), {instanceOf: CommandError, message: /found "soonish"/});
});

test('a time with further words is refused as a whole', t => {
	const now = new Date('2026-11-21T10:00:00');

	for (const text of [
		'every Monday at 9:00',
		'tomorow 9:00',
		'tomorrow 25:00',
		'tomorrow 9:00 Europe/Berlin',
		'not tomorrow',
	]) {
		t.throws(() => parseTime(text, now), {
			instanceOf: CommandError,
			message: `--at: expected a time such as "tomorrow 9:00" or 2026-11-23T09:00, found "${text}"`,
		});
	}
});
