// What a bot does besides answering: messages that it can change, text that grows, questions to others, handlers that run later.

import test from 'ava';
import {arg, bot, FetchError, FileError, z} from 'bothy';
import {testBot} from 'bothy/testing';
import {until} from '../helpers/until.js';

const NOW = '2026-11-21T10:00:00Z';

test('a reply whose ID is read is posted at once, and can be edited, reacted to and deleted', async t => {
	const ids: number[] = [];
	const kit = await testBot(
		bot({about: 'Replies'})
			.command('change', {about: 'x'}, async ctx => {
				const first = await ctx.reply('first');
				ids.push(await first.id);
				await first.edit('first, changed');
				await first.react(':tada:');
				await ctx.reply('second');
			})
			.command('take', {about: 'x'}, async ctx => {
				const said = await ctx.send({channel: 'general', topic: 'news'}, 'gone', {choices: ['yes']});
				await said.delete();
			}),
	);

	t.deepEqual(await kit.alice.says('#general > lunch', '@**Bot** change'), ['first, changed', 'second']);
	t.is(kit.sent[0]?.id, ids[0]);
	t.like(kit.reactions, [{emoji: 'tada', messageId: ids[0]}]);
	await kit.alice.dm('take');
	t.is(kit.sent.length, 2);
});

test('sends and schedules can have buttons too, with a mention if one is needed', async t => {
	const kit = await testBot(
		bot({about: 'Buttons'})
			.command('send', {about: 'x'}, ctx =>
				ctx.send({channel: 'general', topic: 'votes'}, '**Tea** or @**Alice Ahn|4**?', {choices: ['tea']}),
			)
			.command('plan', {about: 'x'}, ctx =>
				ctx.schedule(new Date(ctx.now().getTime() + 60_000), {dm: [ctx.sender.id]}, 'Later?', {choices: ['tea']}),
			)
			.command('tea', {about: 'x'}, ctx => ctx.reply(`tea for ${ctx.sender.name}`))
			.cron('often', {pattern: '0 * * * *'}, ctx =>
				ctx.send({channel: 'general', topic: 'cron'}, 'Now?', {choices: ['tea']}),
			),
		{now: NOW},
	);

	await kit.alice.dm('send');
	t.deepEqual(await kit.bob.presses('tea'), [`tea for ${kit.bob.name}`]);
	t.is(kit.sent.at(-1)?.where, '#general > votes');
	await kit.alice.dm('plan');
	t.like(await kit.wait('1 minute'), [{where: '@alice', choices: ['tea']}]);
	t.deepEqual(await kit.alice.presses('tea'), ['tea for Alice Ahn']);
	t.like(await kit.wait('1 hour'), [{where: '#general > cron', choices: ['tea']}]);
	t.deepEqual(await kit.bob.presses('tea'), [`tea for ${kit.bob.name}`]);
	await t.throwsAsync(
		kit.alice.dm('send').then(() => kit.alice.presses('no')),
		{message: /“tea” in #general > votes/},
	);
});

test('a stream is one message that ends with the handler, several if it is long, and a plain one if it cannot be edited', async t => {
	const kit = await testBot(
		bot({about: 'Streams'})
			.command('short', {about: 'x'}, async ctx => {
				const stream = ctx.stream();
				for (const word of ['one ', 'two ', 'three']) {
					await stream.write(word);
				}
			})
			.command('long', {about: 'x'}, async ctx => {
				const stream = ctx.stream({channel: 'general', topic: 'log'});
				for (let line = 0; line < 2_500; line++) {
					void stream.write(`line ${line}\n`);
				}

				await stream.end();
				await t.throwsAsync(stream.write('more'), {message: /before stream\.end/});
			})
			.command('throw', {about: 'x'}, async ctx => {
				await ctx.stream().write('so far');
				throw new Error('tea');
			})
			.command('nothing', {about: 'x'}, ctx => void ctx.stream()),
	);

	t.deepEqual(await kit.alice.says('#general > lunch', '@**Bot** short'), ['one two three']);
	t.deepEqual(
		await kit.alice.dm('short'),
		['one two three'],
		'an Outgoing webhook bot sees no direct messages of its own',
	);
	t.deepEqual(await kit.alice.dm('nothing'), []);
	await kit.alice.dm('long');
	const parts = kit.sent.filter(({where}) => where === '#general > log').map(({text}) => text);
	t.true(parts.length >= 3 && parts.every(text => text.length <= 10_000));
	t.is(
		parts
			.join('\n')
			.split('\n')
			.filter(line => line.startsWith('line ')).length,
		2_500,
	);
	await t.throwsAsync(kit.alice.says('#general > lunch', '@**Bot** throw'), {message: 'tea'});
	t.is(kit.sent.find(({text}) => text === 'so far')?.where, '#general > lunch');
	t.deepEqual(kit.failed, []);
});

test('a stream shows its text while it grows', async t => {
	let go = () => {};
	const grown = new Promise<void>(resolve => {
		go = resolve;
	});
	const kit = await testBot(
		bot({about: 'Streams'}).on('mention', async ctx => {
			const stream = ctx.stream();
			await stream.write('half');
			await grown;
			await stream.write(' and whole');
		}),
	);
	const asked = kit.alice.says('#general > lunch', '@**Bot** go');
	await until(() => kit.sent.at(-1)?.text === 'half');

	go();

	t.deepEqual(await asked, ['half and whole']);
	t.is(kit.sent.length, 1);
});

const approvals = () =>
	bot({about: 'Asks the boss'})
		.command(
			'holiday',
			{about: 'Ask', args: z.object({boss: arg.user(), day: z.string()})},
			async (ctx, {boss, day}) => {
				await ctx.ask('decide', `${ctx.sender.name} asks for ${day}`, {
					of: boss,
					choices: ['yes', 'no'],
					data: {day},
					minutes: 60,
				});
				await ctx.reply('I have asked.');
			},
		)
		.command('here', {about: 'Ask here', args: z.object({who: arg.user()})}, (ctx, {who}) =>
			ctx.ask('decide', 'Well?', {of: who, in: {channel: 'general', topic: 'lunch'}, data: {day: 'x'}}),
		)
		.answer('decide', z.enum(['yes', 'no']), async (ctx, answer, asked) => {
			const {day} = z.object({day: z.string()}).parse(asked.data);
			await ctx.send(asked.from, `${asked.by.mention} ${day}: ${answer}, says ${ctx.sender.name}`);
			await ctx.reply('Thank you.');
		});

test("somebody else is asked in a direct message, and the answer's handler gets the conversation and the data", async t => {
	const kit = await testBot(approvals(), {now: NOW});
	const {alice, bob, carla} = kit;

	t.deepEqual(await alice.says('#general > lunch', `@**Bot** holiday @**${bob.name}** Friday`), ['I have asked.']);
	t.like(
		kit.sent.find(({where}) => where === '@bob'),
		{choices: ['yes', 'no']},
	);
	t.regex((await carla.dm('yes'))[0] ?? '', /Asks the boss/, 'who was not asked decides nothing');
	t.deepEqual(await bob.dm('perhaps'), [
		'Expected one of `yes`, `no`. Alice Ahn asks for Friday (`cancel` ends this.)',
	]);
	t.deepEqual(await bob.presses('yes'), ['Thank you.']);
	t.is(kit.sent.find(({text}) => text.includes('Friday: yes'))?.where, '#general > lunch');
	t.deepEqual(await bob.dm('yes'), ['This question is closed.'], 'it is answered once');
});

test('a question to others ends with its time or their cancel, and in a channel it waits for them alone', async t => {
	const kit = await testBot(approvals(), {now: NOW});
	const {alice, bob} = kit;
	const holiday = `holiday @**${bob.name}** Friday`;

	await alice.dm(holiday);
	await kit.wait('61 minutes');
	t.deepEqual(await bob.dm('yes'), ['This question is closed.']);
	await alice.dm(holiday);
	t.deepEqual(await bob.dm('cancel'), ['Cancelled.']);
	t.deepEqual(await bob.dm('yes'), ['This question is closed.']);
	await alice.dm(`here @**${bob.name}**`);
	t.regex((await alice.says('#general > lunch', '@**Bot** yes'))[0] ?? '', /Asks the boss/);
	t.deepEqual(await bob.says('#general > Lunch', '@**Bot** yes'), ['Thank you.']);
	t.deepEqual(await kit.redeliver(), ['Thank you.'], 'a repeat is the same answer');
});

test('a handler runs later with its data, once, unless it is cancelled, moved or replaced', async t => {
	const later = bot({about: 'Plans'})
		.command('plan', {about: 'x', args: z.object({when: arg.when(), key: z.string()})}, async (ctx, {when, key}) => {
			await ctx.later(when, 'remind', {who: ctx.sender.id, key}, {key});
			await ctx.reply(ctx.until(when));
		})
		.command('drop', {about: 'x', args: z.object({key: z.string()})}, async (ctx, {key}) => {
			await ctx.reply(String(await ctx.cancel(key)));
		})
		.later('remind', z.object({who: z.int(), key: z.string()}), async (ctx, {who, key}) => {
			await ctx.send({dm: [who]}, `${key} at ${ctx.planned.toISOString().slice(11, 16)}`);
			await ctx.send(ctx.from ?? {dm: [who]}, `${key} here`);
		});
	const kit = await testBot(later, {now: NOW});

	t.deepEqual(await kit.alice.says('#general > lunch', '@**Bot** plan in 20 minutes tea'), ['in 20 minutes']);
	await kit.alice.dm('plan in 30 minutes milk');
	await kit.alice.dm('plan in 40 minutes milk');
	t.deepEqual(kit.scheduled, [], 'only texts are listed');
	t.deepEqual(
		(await kit.wait('25 minutes')).map(({where, text}) => `${where}: ${text}`),
		['@alice: tea at 10:20', '#general > lunch: tea here'],
	);
	t.deepEqual(await kit.wait('10 minutes'), []);
	t.is((await kit.wait('10 minutes')).length, 2);
	await kit.alice.dm('plan in 1 hour cake');
	t.deepEqual(await kit.alice.dm('drop cake'), ['true']);
	t.deepEqual(await kit.alice.dm('drop cake'), ['false']);
	t.deepEqual(await kit.wait('2 hours'), []);
	await t.throwsAsync(
		(await testBot(bot({about: 'x'}).on('direct_message', ctx => ctx.later(new Date(Date.now() + 9e6), 'x')))).alice.dm(
			'go',
		),
		{message: /the name of a \.later\(\)/},
	);
});

const SECRET = 'a secret of the hook';

const deploys = (verify: 'github' | 'gitlab' | 'hmac-sha256' | 'token') =>
	bot({about: 'Tells of deploys', config: z.object({hookSecret: z.string()})}).http(
		'/deploy',
		{secret: 'hookSecret', verify},
		async ctx => {
			const {ref} = z.object({ref: z.string()}).parse(ctx.request.json());
			await ctx.send({channel: 'general', topic: 'deploys'}, `${ref} ${Object.keys(ctx.request.headers).join()}`);
		},
	);

test('a request with a valid signature runs its handler, once for each delivery', async t => {
	for (const verify of ['github', 'gitlab', 'hmac-sha256', 'token'] as const) {
		const kit = await testBot(deploys(verify), {config: {hookSecret: SECRET}, now: NOW});

		t.is(await kit.http('/deploy', {ref: 'main'}, {headers: {'x-github-delivery': '1', cookie: 'a=b'}}), 200);
		t.is(await kit.http('/deploy', {ref: 'main'}, {headers: {'x-github-delivery': '1'}}), 200);
		t.is(await kit.http('/deploy', {ref: 'main'}, {headers: {'x-github-delivery': '2'}}), 200);
		t.is(await kit.http('/deploy', {ref: 'other'}), 200);
		t.is(await kit.http('/deploy', {ref: 'other'}), 200);
		t.deepEqual(
			kit.sent.map(({text}) => text),
			['main content-type,x-github-delivery', 'main content-type,x-github-delivery', 'other content-type'],
			verify,
		);
		t.is(await kit.http('/deploy', {ref: 'evil'}, {secret: 'another secret'}), 401);
		await t.throwsAsync(kit.http('/elsewhere', {}), {message: /declares with \.http\(\): \/deploy; got "\/elsewhere"/});
		await kit.wait('1 hour');
		t.is(await kit.http('/deploy', {ref: 'other'}), 200);
		t.is(kit.sent.length, 4);
	}
});

test('a request that the handler cannot parse is an error of the bot, and a hook without a secret is refused', async t => {
	const kit = await testBot(deploys('github'), {config: {hookSecret: SECRET}});

	await t.throwsAsync(kit.http('/deploy', 'no JSON'), {instanceOf: SyntaxError});
	await t.throwsAsync(testBot(deploys('github'), {config: {hookSecret: 'short'}}), {
		message: "testBot(): `config.hookSecret`: expected the secret of .http('/deploy'), of at least 16 characters",
	});
	const unset = await testBot(
		bot({about: 'x', config: z.object({key: z.string().optional()})}).http(
			'/in',
			{secret: 'key', verify: 'token'},
			() => {},
		),
	);
	await t.throwsAsync(unset.http('/in', {}), {
		message: /secret of \.http\('\/in'\): pass it as \{config: \{key: '…'\}\}/,
	});
	t.throws(() => deploys('plain' as 'token'), {message: /Expected \.http\('\/deploy'\) with `secret`/});
});

test('another HTTP API is called with a time limit, and reads are retried', async t => {
	let calls = 0;
	// Only the call that hangs is about time.
	const timeoutMs = 3_600_000;
	const kit = await testBot(
		bot({about: 'Calls'})
			.command('read', {about: 'x'}, async ctx => {
				const response = await ctx.fetch('https://api.example.com/x', {timeoutMs});
				await ctx.reply(`${response.status} ${await response.text()}`);
			})
			.command('write', {about: 'x'}, ctx =>
				ctx.fetch('https://api.example.com/x?key=secret', {method: 'POST', timeoutMs}),
			)
			.command('hang', {about: 'x'}, ctx => ctx.fetch('https://api.example.com/hang', {timeoutMs: 50}))
			.command('wrong', {about: 'x'}, ctx => ctx.fetch('file:///etc/passwd')),
		{
			fetch(url, init) {
				calls++;
				if (url.endsWith('hang')) {
					return new Promise((_, reject) => init.signal?.addEventListener('abort', () => reject(new Error('aborted'))));
				}

				if (init.method === 'POST') {
					throw new TypeError('fetch failed', {cause: Object.assign(new Error(), {code: 'ECONNRESET'})});
				}

				return new Response(calls < 3 ? 'busy' : 'tea', {status: calls < 3 ? 503 : 200});
			},
		},
	);

	t.deepEqual(await kit.alice.dm('read'), ['200 tea']);
	t.is(calls, 3);
	await t.throwsAsync(kit.alice.dm('write'), {
		instanceOf: FetchError,
		message: 'No answer from api.example.com (ECONNRESET)',
	});
	t.is(calls, 4, 'a write may have been carried out');
	await t.throwsAsync(kit.alice.dm('hang'), {
		message: 'Expected an answer from api.example.com within 50 ms, got none',
	});
	await t.throwsAsync(kit.alice.dm('wrong'), {instanceOf: TypeError, message: /begins with http/});
});

test('files are read with the rights of the bot, and uploaded', async t => {
	const kit = await testBot(
		bot({about: 'Files'})
			.command('read', {about: 'x', args: z.object({link: z.string()})}, async (ctx, {link}) => {
				await ctx.reply(await (await ctx.download(link)).text());
			})
			.command('small', {about: 'x', args: z.object({link: z.string()})}, (ctx, {link}) =>
				ctx.download(link, {maxBytes: 3}),
			)
			.command('give', {about: 'x'}, async ctx => ctx.reply(await ctx.upload('tea [1].txt', 'hot'))),
	);
	const {url = ''} = await kit.alice.api.uploadFile({file: new File(['hello'], 'grün tee.txt')});

	t.deepEqual(await kit.alice.says('#general > lunch', `@**Bot** read ${url}`), ['hello']);
	await t.throwsAsync(kit.alice.says('#general > lunch', `@**Bot** small ${url}`), {
		instanceOf: FileError,
		message: /at most 3 bytes/,
	});
	await t.throwsAsync(kit.alice.dm('read https://evil.example/user_uploads/1/a'), {instanceOf: TypeError});
	await t.throwsAsync(kit.alice.dm('read /api/v1/users'), {instanceOf: TypeError});
	t.regex((await kit.alice.dm('give'))[0] ?? '', /^\[tea {2}1 \.txt\]\(\/user_uploads\/.+\)$/);
	const {url: hidden = ''} = await kit.bob.api.uploadFile({file: new File(['x'], 'x.txt')});
	await t.throwsAsync(kit.alice.dm(`read ${hidden}`), {
		instanceOf: FileError,
		message: /Outgoing webhook reads no files from direct messages/,
	});
});

test('a send to a channel that does not exist fails in the handler', async t => {
	const kit = await testBot(
		bot({about: 'x'}).on('direct_message', async ctx => {
			await ctx.send({channel: ctx.text, topic: 'x'}, 'hello');
			await ctx.reply('Told.');
		}),
	);

	t.deepEqual(await kit.alice.dm('General'), ['Told.']);
	await t.throwsAsync(kit.alice.dm('nowhere'), {
		name: 'SendError',
		message: 'A message could not be posted: there is no channel “nowhere” that the bot can see',
	});
	t.deepEqual(kit.failed, []);
});
