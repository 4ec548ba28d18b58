// What an operator does to many sends, and to a bot, at once.

import {randomUUID} from 'node:crypto';
import test from 'ava';
import {createOutboxStore} from '../../src/outbox/store.js';
import {accountTag} from '../../src/redis/account-key.js';
import {openHouse} from '../helpers/house.js';
import {connect, startRedis} from '../helpers/redis.js';
import {runHere} from '../helpers/terminal.js';

test('a paused bot answers with a text on every host until it is resumed', async t => {
	const {run, signIn, restart} = await openHouse(t, {bots: {echo: undefined}});
	const alice = await signIn('alice');

	t.regex((await run('bots', 'pause', 'echo', '--text', 'Back at noon')).output, /^Paused echo\. .* "Back at noon"/);
	// As another host does that starts now.
	await restart();
	t.is(await alice.ask('echo', 'hello'), 'Back at noon');
	t.regex((await run('bots')).output, /^echo +paused\n.*\n {2}Back at noon$/m);
	t.like(JSON.parse((await run('status', '--json')).output).bots[0], {bot: 'echo', paused: true});

	t.is((await run('bots', 'resume', 'echo')).output, 'Resumed echo. It runs again within 5 s.\n');
	await restart();
	t.is(await alice.ask('echo', 'hello'), 'hello');
	t.is((await run('bots', 'resume', 'echo')).output, 'echo was not paused.\n');
});

test('many sends are retried or cancelled after a dry run, and only if their number is confirmed', async t => {
	const REDIS_URL = await startRedis(t);
	const outboxes = createOutboxStore(await connect(t, REDIS_URL));
	const echo = {email: 'echo@x.example', key: 'k', site: 'https://one', token: 'tttttttttttttttttttttttttttttttt'};
	const run = (...args: string[]) => runHere(args, {env: {REDIS_URL, BOTHY_CONFIG_JSON: JSON.stringify({echo})}});
	const refs = ['a', 'b', 'c'].map(id => ({account: accountTag(echo), id}));
	const statesOf = () => Promise.all(refs.map(async ref => (await outboxes.read(ref))[0]?.state));
	for (const [index, ref] of refs.entries()) {
		const nonce = randomUUID();
		await outboxes.put(ref, {n: 1, kind: 'send', target: '{"dm":[9]}', text: 'x', dueAt: 0, mayBePosted: false});
		if (index < 2) {
			await outboxes.open(ref, nonce, 'sending 1');
			await outboxes.end(ref, nonce, {
				n: 1,
				state: index === 0 ? 'unknown' : 'failed no',
				attempt: 'sending 1',
				closeMs: 1_000,
			});
		}
	}

	t.regex((await run('sends', 'retry')).output, /^Would retry 2 sends.*\nNothing has changed.*--confirm 2\n$/);
	t.regex((await run('sends', 'retry', '--confirm', '3')).output, /expected 2, the number of sends/);
	t.deepEqual(await statesOf(), ['unknown', 'failed no', 'waiting']);

	const failed = await run('sends', 'retry', '--status', 'failed', '--confirm', '1', '--rate', '1000');
	t.is(failed.output, 'Posting again: 1. Too late for: 0.\n');
	t.deepEqual(await statesOf(), ['unknown', 'waiting', 'waiting']);
	t.regex((await run('sends', 'cancel', '--status', 'failed')).output, /takes waiting and retrying, found failed/);
	t.is((await run('sends', 'cancel', '--confirm', '2', '--rate', '1000')).code, 0);
	t.deepEqual(await statesOf(), ['unknown', 'cancelled', 'cancelled']);
});
