// The kit that bot developers test with: what it lets them see is what really happens.

import {execFile} from 'node:child_process';
import {setTimeout as sleep} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import test from 'ava';
import {arg, bot, z} from 'bothy';
import {testBot} from 'bothy/testing';

const NOW = '2026-11-21T10:00:00Z';

const talker = () =>
	bot({about: 'Talks', session: z.object({count: z.int().default(0)})})
		.command('count', {about: 'Count'}, async ctx => {
			ctx.session.count++;
			await ctx.reply(String(ctx.session.count));
		})
		.command('announce', {about: 'Announce', args: z.object({text: arg.rest()})}, async (ctx, {text}) => {
			await ctx.send({channel: 'general', topic: 'news'}, text);
		})
		.command('twice', {about: 'Reply twice'}, async ctx => {
			await ctx.reply('one');
			await ctx.reply('two');
		})
		.command('like', {about: 'React'}, ctx => ctx.react('heart'))
		.command('when', {about: 'Read a time', args: z.object({when: arg.when()})}, (ctx, {when}) =>
			ctx.reply(when.toISOString()),
		)
		.command(
			'later',
			{about: 'Say later', args: z.object({when: arg.when(), text: arg.rest()})},
			async (ctx, {when, text}) => {
				await ctx.schedule(when, ctx.here, text, {key: text});
			},
		)
		.command('cancel', {about: 'Cancel', args: z.object({key: z.string()})}, async (ctx, {key}) => {
			const found = (await ctx.schedules()).find(({id}) => id === key);
			await ctx.reply(String(await found?.cancel()));
		});

test('a direct message and a mention are answered in their conversations', async t => {
	const {alice, bob, sent} = await testBot(
		bot({about: 'Greets'}).on('mention', ctx => ctx.reply(`Hi ${ctx.sender.name}`)),
	);

	t.deepEqual(await alice.says('#general > lunch', '@**Bot** hi'), ['Hi Alice Ahn']);
	t.deepEqual(await bob.dm('hi'), ['Greets']);
	t.deepEqual(
		sent.map(({where, text}) => `${where}: ${text}`),
		['#general > lunch: Hi Alice Ahn', '@bob: Greets'],
	);
});

test('sent messages are returned with their target, time and buttons', async t => {
	const kit = await testBot(
		bot({about: 'Asks'}).command('purge', {about: 'Forget', confirm: 'Really?'}, ctx => ctx.reply('Gone.')),
		{now: NOW},
	);
	await kit.alice.says('#general > lunch', '@**Bot** purge');
	t.deepEqual(await kit.alice.presses('yes'), ['Gone.']);

	t.deepEqual(
		kit.sent.map(({id: _, ...message}) => message),
		[
			{where: '#general > lunch', text: 'Really?', at: new Date(NOW), choices: ['yes', 'no']},
			{where: '#general > lunch', text: 'Gone.', at: new Date(NOW), choices: []},
		],
	);
});

test('a press of a button that is not there says which buttons the person sees, and who else sees it', async t => {
	const {alice, bob} = await testBot(
		bot({about: 'Asks'}).command('purge', {about: 'Forget', confirm: 'Really?'}, ctx => ctx.reply('Gone.')),
	);
	const press = (person: typeof alice, label: string) => t.throwsAsync(person.presses(label));

	t.regex(
		(await press(alice, 'yes'))?.message ?? '',
		/a button “yes”, found no message of the bot with buttons\. Let /,
	);
	await alice.dm('purge');
	t.regex((await press(alice, 'maybe'))?.message ?? '', /a button “maybe”, found “yes” in @alice, “no” in @alice$/);
	t.regex(
		(await press(bob, 'yes'))?.message ?? '',
		/only in a direct message to @alice\. Call t\.alice\.presses\('yes'\)$/,
	);
});

test('several people and the bot have their own conversation', async t => {
	const {alice, bob} = await testBot(talker());

	t.deepEqual(await alice.says('@bob', 'count'), ['1']);
	t.deepEqual(await bob.says('@alice', 'count'), ['2']);
	t.deepEqual(await alice.dm('count'), ['1']);
	t.deepEqual(await alice.dm('twice'), ['one\n\ntwo']);
	await t.throwsAsync(alice.says('general', 'hi'), {message: /Expected a place such as "#general > lunch"/});
});

test('a test can expect silence, and fails if the bot answers', async t => {
	const kit = await testBot(talker());
	await kit.alice.says('#general > lunch', 'nobody is called');
	t.notThrows(() => kit.expectSilence());

	await kit.alice.dm('count');
	t.throws(() => kit.expectSilence(), {message: 'Expected the bot to be silent, but it said\n\n@alice: 1'});
});

test('a message to another conversation is found there, with the ID from its handle', async t => {
	const ids: number[] = [];
	const kit = await testBot(
		bot({about: 'Sends'}).on('direct_message', async ctx => {
			const handle = await ctx.send({channel: 'general', topic: 'news'}, ctx.text);
			ids.push(await handle.id);
			await ctx.edit(ids[0] ?? 0, `${ctx.text}!`);
		}),
	);

	t.deepEqual(await kit.alice.dm('tea'), []);
	t.like(kit.sent, [{id: ids[0], where: '#general > news', text: 'tea!'}]);
});

test('a reaction is returned with its message', async t => {
	const kit = await testBot(talker());
	await kit.alice.says('#general > lunch', '@**Bot** like');

	t.like(kit.reactions, [{emoji: 'heart', to: '@**Bot** like'}]);
});

test('if the service shows the account no messages, the reaction is missing but the answer is not', async t => {
	const kit = await testBot(
		bot({about: 'Likes'}).on('direct_message', async ctx => {
			await ctx.react('heart');
			await ctx.reply('Noted.');
		}),
	);

	t.deepEqual(await kit.alice.dm('like'), ['Noted.']);
	t.deepEqual(kit.reactions, []);
});

test('if the service shows the account no messages, ctx.edit and ctx.delete say why and what to do', async t => {
	const kit = await testBot(
		bot({about: 'Changes'})
			.command('edit', {about: 'Edit'}, ctx => ctx.edit(ctx.message.id, 'x'))
			.command('delete', {about: 'Delete'}, ctx => ctx.delete(ctx.message.id))
			.catch((error, ctx) => ctx.reply(error.message)),
	);

	const reason = /reach the message: .* in direct messages, groups and .* Use a Generic bot with `receive = events`/;
	for (const word of ['edit', 'delete']) {
		t.regex((await kit.alice.dm(word)).join(), new RegExp(`^ctx\\.${word}\\(\\) cannot ${reason.source}`));
		// Where it sees the message, the service's own refusal stands.
		t.notRegex((await kit.alice.says('#general > lunch', `@**Bot** ${word}`)).join(), reason);
	}
});

test('scheduled messages are listed, and posted at their time', async t => {
	const kit = await testBot(talker(), {now: NOW});
	await kit.alice.says('#general > lunch', '@**Bot** later in 3 hours tea');
	await kit.alice.dm('later in 2 hours cake');
	await kit.alice.dm('later in 20 minutes nothing');
	t.deepEqual(await kit.alice.dm('cancel nothing'), ['true']);

	t.deepEqual(kit.scheduled, [
		{id: 'cake', where: '@alice', text: 'cake', at: new Date('2026-11-21T12:00:00Z')},
		{id: 'tea', where: '#general > lunch', text: 'tea', at: new Date('2026-11-21T13:00:00Z')},
	]);
	t.deepEqual(await kit.wait('119 minutes'), []);
	t.like(await kit.wait(24 * 3_600_000), [
		{where: '@alice', text: 'cake', at: new Date('2026-11-21T12:00:00Z')},
		{where: '#general > lunch', text: 'tea', at: new Date('2026-11-21T13:00:00Z')},
	]);
	t.is(kit.now.toISOString(), '2026-11-22T11:59:00.000Z');
	t.deepEqual(kit.scheduled, []);
	await t.throwsAsync(kit.wait('a while'), {message: /Expected a duration such as "2 hours"/});
	await t.throwsAsync(kit.wait(Number.POSITIVE_INFINITY), {message: /Expected a duration such as "2 hours"/});
	await t.throwsAsync(kit.waitUntil('soon'), {message: 'Expected a time such as "2026-11-23T09:00:00Z", got "soon"'});
});

test('a message that the service stores is posted by the service', async t => {
	const kit = await testBot(
		bot({about: 'Waits'}).on('direct_message', async ctx => {
			const due = new Date(ctx.now().getTime() + 3_600_000);
			await ctx.schedule(due, ctx.here, 'tea', {via: 'service'});
		}),
		{now: NOW},
	);
	await kit.alice.dm('hi');
	const {scheduled_messages: kept} = await kit.alice.api.getScheduledMessages();

	t.deepEqual(kept, []);
	t.like(kit.scheduled, [{text: 'tea', at: new Date('2026-11-21T11:00:00Z')}]);
	t.like(await kit.wait('1 hour'), [{text: 'tea', at: new Date('2026-11-21T11:00:00Z')}]);
});

test('crons fire at their times, for texts and for handlers', async t => {
	const kit = await testBot(
		bot({about: 'Wakes'})
			.cron('morning', {pattern: '0 9 * * *', tz: 'Europe/Berlin'}, async ctx => {
				await ctx.send({channel: 'general', topic: 'today'}, `Good morning of ${ctx.planned.toISOString()}`);
			})
			.on('direct_message', async ctx => {
				await ctx.schedule({pattern: '30 8 * * *'}, ctx.here, 'Up!', {key: 'up'});
			}),
		{now: NOW},
	);
	await kit.alice.dm('wake me');

	t.like(kit.scheduled, [{id: 'up', where: '@alice', text: 'Up!', at: new Date('2026-11-22T08:30:00Z')}]);
	t.deepEqual(
		(await kit.waitUntil('2026-11-24T00:00:00Z')).map(({text, at}) => [text, at.toISOString()]),
		[
			['Good morning of 2026-11-22T08:00:00.000Z', '2026-11-22T08:00:00.000Z'],
			['Up!', '2026-11-22T08:30:00.000Z'],
			['Good morning of 2026-11-23T08:00:00.000Z', '2026-11-23T08:00:00.000Z'],
			['Up!', '2026-11-23T08:30:00.000Z'],
		],
	);
});

test('under the same key, a time replaces a pattern, and a pattern replaces a time', async t => {
	const place = {channel: 'general', topic: 'tea'};
	const kit = await testBot(
		bot({about: 'Tea'})
			.command('once', {about: 'Once'}, async ctx => {
				await ctx.schedule(new Date('2026-11-23T11:00:00Z'), place, 'once', {key: 'tea'});
			})
			.command('daily', {about: 'Daily'}, async ctx => {
				await ctx.schedule({pattern: '0 12 * * *'}, place, 'daily', {key: 'tea'});
			}),
		{now: NOW},
	);

	await kit.alice.dm('daily');
	await kit.alice.dm('once');
	t.like(kit.scheduled, [{id: 'tea', text: 'once', cron: undefined}]);
	await kit.alice.dm('daily');
	t.like(kit.scheduled, [{id: 'tea', text: 'daily', at: new Date('2026-11-21T12:00:00Z')}]);

	t.deepEqual(
		(await kit.waitUntil('2026-11-24T00:00:00Z')).map(({text}) => text),
		['daily', 'daily', 'daily'],
	);
});

test('a repeated payload gets the same answer, and nothing is done twice', async t => {
	const kit = await testBot(talker());
	await kit.alice.dm('count');
	t.deepEqual(await kit.redeliver(), ['1']);
	t.deepEqual(await kit.alice.dm('count'), ['2']);

	await kit.alice.dm('announce tea');
	t.deepEqual(await kit.redeliver(), []);
	kit.expectSilence();
	t.deepEqual(
		kit.sent.map(({text}) => text),
		['1', '2', 'tea'],
	);
});

test('a lost answer is given again when the service repeats the payload', async t => {
	const kit = await testBot(talker());
	kit.fault('answer-lost');

	t.deepEqual(await kit.alice.dm('count'), ['1']);
	t.is(kit.sent.length, 1);
});

for (const kind of ['429', '500', '502-html', 'break-before', 'accept-and-break', 'unreadable'] as const) {
	test(`a send that meets ${kind} is posted once`, async t => {
		const kit = await testBot(talker());
		kit.fault(kind, {operation: 'sendMessage', times: kind === '429' ? 2 : 1, retryAfterSeconds: 30});
		await kit.alice.dm('announce tea');
		await kit.wait('10 seconds');
		const isDone = kind === 'accept-and-break' || kind === 'unreadable';
		t.is(kit.sent.length, isDone ? 1 : 0);
		await kit.wait('3 minutes');

		t.deepEqual(
			kit.sent.map(({text}) => text),
			['tea'],
		);
	});
}

test("if a message cannot be posted, the owner and the bot's .catch get the reason", async t => {
	const lost = () => bot({about: 'Errs'}).on('direct_message', ctx => ctx.send({channel: 4711, topic: 'x'}, 'lost'));
	const reason = "Channel with ID '4711' does not exist (STREAM_DOES_NOT_EXIST)";
	const kit = await testBot(lost());
	await kit.alice.dm('go');
	const careful = await testBot(lost().catch((error, ctx) => ctx.reply(error.message)));

	t.deepEqual(kit.failed, [{where: '#4711 > x', text: 'lost', reason}]);
	t.like(kit.sent, [{where: '@olivia'}]);
	t.deepEqual(await careful.alice.dm('go'), [`A message could not be posted: ${reason}`]);
});

test('a refusal reaches the handler, an error of a handler reaches the test, and logs stay separate', async t => {
	const kit = await testBot(
		bot({about: 'Looks'})
			.command('log', {about: 'Log'}, async ctx => {
				ctx.log.error({tea: 0}, 'no tea');
				await ctx.reply('Logged.');
			})
			.command('look', {about: 'Look'}, async ctx => {
				await ctx.api.getMessage({message_id: 4711});
			}),
	);

	t.deepEqual(await kit.alice.dm('log'), ['Logged.']);
	await t.throwsAsync(kit.alice.dm('look'), {name: 'ApiError', message: /Invalid message/});
	t.regex(kit.sent.at(-1)?.text ?? '', /^Sorry, something went wrong here/);
});

test('a handler that takes too long is answered late', async t => {
	let finish = () => {};
	const kit = await testBot(
		bot({about: 'Thinks'}).on('direct_message', async ctx => {
			await new Promise<void>(resolve => {
				finish = resolve;
			});
			await ctx.reply('at last');
		}),
	);
	const asked = kit.alice.dm('think');
	t.deepEqual(await kit.wait('20 seconds'), []);
	finish();

	t.deepEqual(await asked, ['at last']);
	t.is(kit.sent.length, 1);
});

test('the kit waits for what a handler does outside of it', async t => {
	const kit = await testBot(
		bot({about: 'Reads'}).cron('read', {pattern: '0 * * * *'}, async ctx => {
			await sleep(30);
			await ctx.send({channel: 'general', topic: 'x'}, 'read');
		}),
		{now: NOW},
	);

	t.like(await kit.wait('1 hour'), [{text: 'read'}]);
});

test('a handler that never ends is aborted at its time limit, with an apology', async t => {
	const signals: AbortSignal[] = [];
	const kit = await testBot(
		bot({about: 'Hangs', timeoutMs: 60_000}).on('direct_message', async ctx => {
			signals.push(ctx.signal);
			await new Promise(() => {});
		}),
	);
	const asked = kit.alice.dm('hang');
	await kit.wait('59 seconds');
	t.false(signals[0]?.aborted);
	await kit.wait('2 seconds');

	t.true(signals[0]?.aborted);
	t.deepEqual(await asked, ['Sorry, I did not finish within 1 minute, so I stopped.']);
});

test("times are read in the sender's time zone, by the clock of the test", async t => {
	const kit = await testBot(talker(), {now: NOW});
	t.deepEqual(await kit.alice.dm('when tomorrow 9:00'), ['2026-11-22T09:00:00.000Z']);
	await kit.wait('1 day');
	t.deepEqual(await kit.alice.dm('when in 1 hour'), ['2026-11-22T11:00:00.000Z']);
});

test('config is read as the config file is, and its errors are those of a start', async t => {
	const configured = () =>
		bot({
			about: 'Asks',
			config: z.object({limit: z.int().max(9).default(5), channel: z.string().default('general')}),
		}).on('direct_message', ctx => ctx.reply(`${ctx.config.limit} ${ctx.config.channel}`));

	t.deepEqual(await (await testBot(configured())).alice.dm('?'), ['5 general']);
	t.deepEqual(await (await testBot(configured(), {config: {limit: 7}})).alice.dm('?'), ['7 general']);
	t.deepEqual(await (await testBot(configured(), {config: {limit: '8'}})).alice.dm('?'), ['8 general']);
	await t.throwsAsync(testBot(configured(), {config: {limit: 10}}), {
		message: 'testBot(): `config.limit`: expected at most 9',
	});
	// @ts-expect-error This one takes nothing.
	await t.throwsAsync(testBot(talker(), {config: {limit: 1}}), {
		message: 'testBot(): expected nothing in `config.limit`: this bot has no settings',
	});
	// @ts-expect-error A bot names what it takes.
	await t.throwsAsync(testBot(configured(), {config: {limits: 1}}), {
		message: 'testBot(): expected one of `config.limit`, `config.channel`, found `config.limits`',
	});
});

test("drafts are in people's accounts, and people may change them", async t => {
	const kit = await testBot(
		bot({about: 'Prepares'})
			.command('put', {about: 'Put', args: z.object({text: arg.rest()})}, async (ctx, {text}) => {
				await ctx.drafts('alice').put('agenda', ctx.here, text);
			})
			.command('list', {about: 'List'}, async ctx => {
				const all = await ctx.drafts('alice').list();
				await ctx.reply(all.map(({text, status}) => `${text}: ${status}`).join());
			}),
		{drafts: ['alice']},
	);
	await kit.alice.says('#general > lunch', '@**Bot** put Agenda');
	t.deepEqual(kit.drafts, [{of: 'alice', where: '#general > lunch', text: 'Agenda'}]);
	t.deepEqual(await kit.alice.dm('list'), ['Agenda: synced']);

	const [draft] = (await kit.alice.api.getDrafts()).drafts;
	await kit.alice.api.editDraft({
		draft_id: draft?.id ?? 0,
		draft: {type: 'stream', to: [1], topic: 'lunch', content: 'Mine'},
	});
	await kit.wait('2 minutes');
	t.deepEqual(await kit.alice.dm('list'), ['Agenda: edited']);
	await kit.alice.dm('put Other');
	t.like(kit.drafts, [{text: 'Mine'}]);
	await t.throwsAsync((await testBot(talkerOfDrafts(), {drafts: []})).alice.dm('hi'), {name: 'UnknownAccount'});
});

const talkerOfDrafts = () =>
	bot({about: 'Prepares'}).on('direct_message', ctx => ctx.drafts(ctx.sender.email).put('x', ctx.here, 'x'));

test('two kits do not affect each other', async t => {
	const shared = talker();
	const [one, other] = await Promise.all([testBot(shared), testBot(shared)]);
	await Promise.all([one.alice.dm('count'), other.alice.dm('count')]);

	t.deepEqual(await one.alice.dm('count'), ['2']);
	t.is(other.sent.length, 1);
	await one.close();
	t.deepEqual(await other.alice.dm('count'), ['2']);
});

test('a test costs less than thirty times a small piece of work', async t => {
	const file = fileURLToPath(new URL('cost.js', import.meta.url));

	const {stdout} = await promisify(execFile)(process.execPath, [file]);

	t.log(`${Number(stdout).toFixed(1)} times`);
	t.true(Number(stdout) < 30);
});

test('node:test runs it as well', async t => {
	const file = fileURLToPath(new URL('with-node-test.js', import.meta.url));
	// Of its own, or it takes itself for a part of this run.
	const {NODE_TEST_CONTEXT: _, ...env} = process.env;

	const {stdout} = await promisify(execFile)(process.execPath, ['--test', '--test-reporter', 'tap', file], {env});

	t.regex(stdout, /# pass 2\n# fail 0/);
});
