// What an operator does to many sends, and to a bot, at once.

import {randomUUID} from 'node:crypto';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import test from 'ava';
import {createOutboxStore} from '../../src/outbox/store.js';
import {accountTag} from '../../src/redis/account-key.js';
import {dataFolder} from '../helpers/bothy.js';
import {openHouse} from '../helpers/house.js';
import {connect, startRedis} from '../helpers/redis.js';
import {runHere} from '../helpers/terminal.js';
import {until} from '../helpers/until.js';

const FACE = fileURLToPath(new URL('../../src/index.js', import.meta.url));

test('a paused bot answers with a text on every host until it is resumed', async t => {
	const {run, signIn, restart} = await openHouse(t, {bots: {echo: undefined}});
	const alice = await signIn('alice');

	t.regex((await run('bots', 'pause', 'echo', '--text', 'Back at noon')).output, /^Paused echo\. .* "Back at noon"/);
	// As another host does that starts now.
	await restart();
	t.is(await alice.ask('echo', 'hello'), 'Back at noon');
	t.regex((await run('bots')).output, /^echo +paused +0\n.*\n {2}Back at noon$/m);
	t.like(JSON.parse((await run('status', '--json')).output).bots[0], {bot: 'echo', paused: true});

	t.regex((await run('bots', 'resume', 'echo')).output, /^echo answers again within 5 s/);
	await restart();
	t.is(await alice.ask('echo', 'hello'), 'hello');
	t.is((await run('bots', 'resume', 'echo')).output, 'echo was not paused.\n');
});

test('deliveries held for a paused bot survive a restart, and run once when the bot is resumed', async t => {
	const {run, signIn, restart, said, settled} = await openHouse(t, {bots: {echo: undefined}});
	const alice = await signIn('alice');
	const heldNow = async () => JSON.parse((await run('bots', '--json')).output).held;

	t.regex((await run('bots', 'pause', 'echo', '--hold')).output, /messages wait until you resume it/);
	await restart();
	await alice.dm('echo', 'one');
	await alice.dm('echo', 'two');
	await until(async () => (await heldNow()) === 2);
	await restart();
	t.deepEqual(said(), []);
	t.is((await run('deliveries', '--status', 'held', '--json')).output.trim().split('\n').length, 2);

	t.regex((await run('bots', 'resume', 'echo')).output, /waited and run now: 2\.$/m);
	t.deepEqual([await alice.next('echo'), await alice.next('echo')].toSorted(), ['one', 'two']);
	await settled();
	t.is(said().length, 2);
	t.is(await heldNow(), 0);
});

test('deliveries that failed are replayed once each; the next call takes only those that failed again', async t => {
	const folder = await dataFolder(t);
	const mended = JSON.stringify(join(folder, 'mended'));
	await writeFile(
		join(folder, 'fickle.mjs'),
		`import {existsSync} from 'node:fs';
		import {bot} from ${JSON.stringify(FACE)};
		export default bot({about: 'Throws'}).on('direct_message', async ctx => {
			if (ctx.text === 'never' || !existsSync(${mended})) { throw new Error('broken'); }
			await ctx.reply(ctx.text);
		});`,
	);
	const {run, signIn, settled, said} = await openHouse(t, {bots: {fickle: undefined}, env: {BOTHY_BOTS: folder}});
	const alice = await signIn('alice');
	for (const text of ['one', 'never', 'two']) {
		await alice.ask('fickle', text);
	}

	await settled();
	const again = (...args: string[]) => run('deliveries', 'replay', '--since', '1h', '--rate', '1000', ...args);
	const dry = await again();
	t.regex(
		dry.output,
		/^Would replay 3 deliveries:\n {2}fickle {2}\S+ {2}failed .*\n.*Nothing has changed.* --yes 3\n$/s,
	);
	t.like(await again('--yes', '2'), {
		code: 1,
		output: 'bothy: --yes: expected 3, the number of deliveries that match now, found 2\n',
	});
	t.regex((await again('--status', 'running')).output, /takes failed, parked, done, flood, found running/);

	t.regex(
		(await run('doctor')).output,
		/^warning {2}fickle: 3 deliveries of the last hour failed; the latest: [\da-f]{8} Error: broken\n.*deliveries replay/m,
	);

	t.regex(
		(await run('status')).output,
		/^fickle +3 +0 +0\n {2}3 deliveries of the last hour failed; the latest: [\da-f]{8} Error: broken\n/m,
	);

	await writeFile(join(folder, 'mended'), '');
	t.like(await again('--yes', '3'), {code: 1, output: 'replay: 2 of 3 deliveries. Failed: 1.\n'});
	await settled();
	t.deepEqual(
		said()
			.slice(3)
			.filter(text => !text.startsWith('Sorry'))
			.toSorted(),
		['one', 'two'],
	);
	t.regex((await again()).output, /^Would replay 1 deliveries:\n {2}fickle {2}\S+-r1 /);
	t.is((await again('--status', 'parked')).output, 'Would replay 0 deliveries.\nNothing has changed.\n');
});

test('many sends are retried, settled or cancelled after a dry run if the user gives or types their number', async t => {
	const REDIS_URL = await startRedis(t);
	const redis = await connect(t, REDIS_URL);
	const outboxes = createOutboxStore(redis);
	const echo = {email: 'echo@x.example', key: 'k', site: 'https://one', token: 'tttttttttttttttttttttttttttttttt'};
	const env = {REDIS_URL, BOTHY_CONFIG_JSON: JSON.stringify({echo})};
	const run = (...args: string[]) => runHere([...args, '--rate', '1000'], {env});
	const account = accountTag(echo);
	const refs = ['a', 'b', 'c', 'd'].map(id => ({account, id}));
	const statesOf = () => Promise.all(refs.map(async ref => (await outboxes.read(ref))[0]?.state));
	for (const [index, ref] of refs.entries()) {
		const state = (['unknown', 'failed no', 'failed no'] as const)[index];
		await outboxes.put(ref, {n: 1, kind: 'send', target: '{"dm":[9]}', text: 'x', dueAt: 0, mayBePosted: false});
		if (state) {
			const nonce = randomUUID();
			await outboxes.open(ref, nonce, 'sending 1');
			await outboxes.end(ref, nonce, {n: 1, state, attempt: 'sending 1', closeMs: 1_000});
		}
	}

	await redis.zadd(`bothy:{${account}}:unsettled`, Date.now() - 7_200_000, 'b 1');
	const dry = await run('sends', 'retry');
	t.regex(dry.output, /^Would retry 3 sends:\n( {2}echo {2}[abc]\/1 .*\n){3}Nothing has changed.*--yes 3\n$/);
	t.regex(
		(await run('sends', 'retry', '--yes', '4')).output,
		/expected 3, the number of sends that match now, found 4/,
	);
	t.deepEqual(await statesOf(), ['unknown', 'failed no', 'failed no', 'waiting']);

	const recent = await run('sends', 'retry', '--status', 'failed', '--since', '1h', '--yes', '1');
	t.is(recent.output, 'retry: 1 of 1 sends. Failed: 0.\n');
	t.deepEqual(await statesOf(), ['unknown', 'failed no', 'waiting', 'waiting']);

	t.regex((await run('sends', 'resolve', '--status', 'unknown')).output, /Expected --sent .*: bothy sends retry$/m);
	const typed = (input: string) =>
		runHere(['sends', 'resolve', '--sent', '--status', 'unknown'], {env, input, isTyped: true});
	t.regex((await typed('\n')).output, /Type 1 to do it.*Nothing has changed/s);
	t.regex((await typed('1\n')).output, /treat as sent: 1 of 1 sends/);
	t.deepEqual(await statesOf(), ['sent 0', 'failed no', 'waiting', 'waiting']);

	t.regex((await run('sends', 'cancel', '--status', 'failed')).output, /takes waiting and retrying, found failed/);
	t.like(await run('sends', 'cancel', '--yes', '2'), {code: 0});
	t.deepEqual(await statesOf(), ['sent 0', 'failed no', 'cancelled', 'cancelled']);
});
