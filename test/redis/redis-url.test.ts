import test from 'ava';
import {createOutboxStore} from '../../src/outbox/store.js';
import {accountTag} from '../../src/redis/account-key.js';
import {nameRedis, type RedisPlace, readRedisUrl, socketUrl} from '../../src/redis/redis-url.js';
import {connect, startRedis} from '../helpers/redis.js';
import {runHere} from '../helpers/terminal.js';

const names = test.macro({
	title: (_, url: string) => `${url} is understood`,
	exec(t, url: string, place: RedisPlace, name: string) {
		t.deepEqual(readRedisUrl(url), place);
		t.is(nameRedis(url), name);
	},
});

const at = (host: string, port: number) => ({host, port});

test(names, 'redis://localhost', {kind: 'server', nodes: [at('localhost', 6379)], options: {}}, 'localhost:6379');
test(names, 'redis://127.0.0.1:7000/', {kind: 'server', nodes: [at('127.0.0.1', 7000)], options: {}}, '127.0.0.1:7000');
test(names, 'redis://[::1]', {kind: 'server', nodes: [at('::1', 6379)], options: {}}, '[::1]:6379');
test(
	names,
	'redis://[fe80::1]:7000/2',
	{kind: 'server', nodes: [at('fe80::1', 7000)], options: {db: 2}},
	'[fe80::1]:7000',
);
test(
	names,
	'rediss://user:secret@redis.example.com:6380/3',
	{
		kind: 'server',
		nodes: [at('redis.example.com', 6380)],
		options: {username: 'user', password: 'secret', db: 3, tls: {}},
	},
	'redis.example.com:6380',
);
test(
	names,
	'redis://:secret@host',
	{kind: 'server', nodes: [at('host', 6379)], options: {password: 'secret'}},
	'host:6379',
);
test(names, 'redis://user@host', {kind: 'server', nodes: [at('host', 6379)], options: {username: 'user'}}, 'host:6379');
test(
	names,
	'redis://us%3Aer:p%40ss%3A%2Fw%23r%3Fd%2C%25%C3%A9@host',
	{kind: 'server', nodes: [at('host', 6379)], options: {username: 'us:er', password: 'p@ss:/w#r?d,%é'}},
	'host:6379',
);
test(
	names,
	'redis://:a,b@c!$&(*)+;=~@host',
	{kind: 'server', nodes: [at('host', 6379)], options: {password: 'a,b@c!$&(*)+;=~'}},
	'host:6379',
);

test(
	names,
	'unix:///run/redis.sock',
	{kind: 'server', nodes: [], options: {path: '/run/redis.sock'}},
	'/run/redis.sock',
);
test(
	names,
	'unix://user:p%40ss@/a%20b/redis.sock?db=3',
	{
		kind: 'server',
		nodes: [],
		options: {username: 'user', password: 'p@ss', db: 3, path: '/a b/redis.sock'},
	},
	'/a b/redis.sock',
);
test('the URL of any socket is parsed', t => {
	const path = '/a b/c?d#e%20@f:,é/redis.sock';

	t.deepEqual(readRedisUrl(socketUrl(path)), {kind: 'server', nodes: [], options: {path}});
});

const three = [at('a', 7000), at('b', 7001), at('c', 6379)];
test(
	names,
	'redis://a:7000,redis://b:7001,redis://c',
	{kind: 'cluster', nodes: three, options: {}},
	'cluster a:7000, b:7001, c:6379',
);
test(names, 'redis://a:7000,b:7001,c', {kind: 'cluster', nodes: three, options: {}}, 'cluster a:7000, b:7001, c:6379');
test(
	names,
	'redis://:secret@a:7000/,redis://:secret@b:7001/,redis://:secret@c/',
	{kind: 'cluster', nodes: three, options: {password: 'secret'}},
	'cluster a:7000, b:7001, c:6379',
);
test(
	names,
	'rediss+cluster://user:s%2Cecret@a:7000,[::1]:7001,c/0',
	{
		kind: 'cluster',
		nodes: [at('a', 7000), at('::1', 7001), at('c', 6379)],
		options: {username: 'user', password: 's,ecret', tls: {}},
	},
	'cluster a:7000, [::1]:7001, c:6379',
);
test(names, 'redis+cluster://a', {kind: 'cluster', nodes: [at('a', 6379)], options: {}}, 'cluster a:6379');

const sentinels = [at('a', 26_379), at('b', 26_380)];
const named = 'sentinel a:26379, b:26380';
test(names, 'redis+sentinel://a,b:26380/main', {kind: 'sentinel', nodes: sentinels, options: {name: 'main'}}, named);
test(
	names,
	'redis+sentinel://user:p%40ss@a:26379,b:26380/main/2?sentinel_password=s%26cret',
	{
		kind: 'sentinel',
		nodes: sentinels,
		options: {name: 'main', username: 'user', password: 'p@ss', db: 2, sentinelPassword: 's&cret'},
	},
	named,
);
test(
	names,
	'redis-sentinel://:secret@a,b:26380/2#main',
	{kind: 'sentinel', nodes: sentinels, options: {name: 'main', password: 'secret', db: 2}},
	named,
);
test(names, 'redis-sentinel://a,b:26380#main', {kind: 'sentinel', nodes: sentinels, options: {name: 'main'}}, named);
test(
	names,
	'rediss+sentinel://[::1]/my%20main',
	{
		kind: 'sentinel',
		nodes: [at('::1', 26_379)],
		options: {name: 'my main', tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true},
	},
	'sentinel [::1]:26379',
);

const refused = test.macro({
	title: (_, url: string) => `"${url}" is refused`,
	exec(t, url: string) {
		t.is(readRedisUrl(url), undefined);
	},
});

for (const url of [
	'localhost:6379',
	'http://localhost',
	'redis+other://localhost',
	'redis://',
	'redis://:6379',
	'redis://:secret@',
	'redis://a b',
	'unix://',
	'unix://redis.sock',
	'unix:///redis.sock?db=first',
	'unix:///redis.sock?password=x',
	'unix:///redis.sock#1',
	'unix:///100%',
	'redis://host:port',
	'redis://host:70000',
	'redis://::1',
	'redis://host/first',
	'redis://host/-1',
	'redis://host/0/1',
	'redis://host#main',
	// Would be ignored: the path contains the database.
	'redis://host?db=2',
	// Unescaped special characters.
	'redis://:pa/ss@host',
	'redis://:pa#ss@host',
	'redis://:pa?ss@host',
	'redis://user:12/34@host',
	'redis://:100%@host',
	// A Cluster has one database.
	'redis://a,b/1',
	'redis+cluster://a,b/1',
	'redis+cluster://a,,b',
	'redis+cluster://a,b:x',
	'redis+cluster://',
	'redis+sentinel://a,b',
	'redis+sentinel://a,b/',
	'redis+sentinel://a,b/main/first',
	'redis+sentinel://a,b/main/0/1',
	'redis+sentinel://a,b/main?password=x',
	'redis+sentinel:///main',
	'redis-sentinel://a,b/main#main',
]) {
	test(refused, url);
}

// What was stored under an old address of a site is found, and adopted by the new one.

test('a moved site keeps its sends and schedules, and those of the new address', async t => {
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
	const lines = (await run('accounts', '--json')).output.trim().split('\n');
	t.like(
		lines.map(line => JSON.parse(line)),
		[
			{bot: null, site: 'http://chat.example', email: 'echo@bothy.example'},
			{bot: 'echo', site: 'https://chat.example', email: 'echo@bothy.example'},
		],
	);
	t.regex((await run('doctor')).output, /Accounts: Redis has \d+ keys of http:\/\/chat\.example, echo@bothy\.example/);
	t.regex((await run('accounts', 'move', 'https://chat.example', 'http://x')).output, /still in the config/);
	t.regex((await run('accounts', 'move', 'chat', 'http://x')).output, /Expected a site such as https:.*, found "chat"/);
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
