// What a bot may say: texts are checked before anything is stored.

import test from 'ava';
import {z} from 'zod';
import {bot} from '../../src/bot/bot.js';
import type {Context} from '../../src/bot/context.js';
import {openConversation} from '../../src/bot/conversation.js';
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

test('halves of surrogate pairs and null bytes are replaced wherever a bot says something', async t => {
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
