// What was stored under an old address of a site is found, and adopted by the new one.

import test from 'ava';
import {createOutboxStore} from '../../src/outbox/store.js';
import {accountTag} from '../../src/redis/account-key.js';
import {connect, startRedis} from '../helpers/redis.js';
import {runHere} from '../helpers/terminal.js';

test('a site that moved takes its sends and schedules along, beside those of the new address', async t => {
	const REDIS_URL = await startRedis(t);
	const outboxes = createOutboxStore(await connect(t, REDIS_URL));
	const echo = {
		email: 'echo@bothy.example',
		key: 'k',
		site: 'https://chat.example',
		token: 'tttttttttttttttttttttttttttttttt',
	};
	const run = (...args: string[]) => runHere(args, {env: {REDIS_URL, BOTHY_CONFIG_JSON: JSON.stringify({echo})}});
	const old = accountTag({...echo, site: 'http://chat.example'});
	const dueAt = Date.now() + 3_600_000;
	const entry = {n: 1, kind: 'send', target: '{"dm":[9]}', text: 'x', dueAt, mayBePosted: false} as const;
	await outboxes.put({account: old, id: 'cli-old'}, {...entry, name: 'tea'}, 'tea');
	await outboxes.put({account: accountTag(echo), id: 'cli-new'}, {...entry, name: 'soup'}, 'soup');

	t.notRegex((await run('sends')).output, /cli-old/);
	t.regex((await run('accounts')).output, /\(none\) +\d+\n {2}http:\/\/chat\.example {2}echo@bothy\.example/);
	t.regex(
		(await run('doctor')).output,
		/Accounts: Redis holds \d+ keys of http:\/\/chat\.example, echo@bothy\.example/,
	);
	t.regex((await run('accounts', 'move', 'https://chat.example', 'http://x')).output, /still in the config/);
	t.regex((await run('accounts', 'move', 'http://nowhere', 'http://x')).output, /found nothing for http:\/\/nowhere/);

	const moved = await run('accounts', 'move', 'http://chat.example/', 'https://chat.example');

	t.is(moved.code, 0);
	t.regex(moved.output, /^echo@bothy\.example: \d+ keys moved to https:\/\/chat\.example\.\n$/);
	const {output} = await run('sends');
	t.regex(output, /cli-old\/1/);
	t.regex(output, /cli-new\/1/);
	t.deepEqual([...(await outboxes.named(accountTag(echo))).keys()].toSorted(), ['soup', 'tea']);
	t.notRegex((await run('accounts')).output, /none/);
});
