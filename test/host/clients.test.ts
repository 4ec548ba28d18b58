// What the processes of a host share among their accounts.

import test, {type ExecutionContext} from 'ava';
import pino from 'pino';
import {ApiError, NetworkError} from '../../src/client/errors.js';
import {readAccounts} from '../../src/config/accounts.js';
import {readSettings} from '../../src/config/settings.js';
import {createTroubles, readTrouble} from '../../src/host/checks/troubles.js';
import {openClients} from '../../src/host/clients.js';
import {createTeardown} from '../../src/host/teardown.js';
import {accountTag} from '../../src/redis/account-key.js';
import {CALM} from '../helpers/bothy.js';
import {connect, startRedis} from '../helpers/redis.js';
import {until} from '../helpers/until.js';
import {httpAnswer, startRawServer} from '../wire/kit/raw-server.js';

const KEY = 'abcdefghijklmnopqrstuvwxyz012345';

/** The clients of two accounts on one site, and the lines that they log. */
async function openHost(t: ExecutionContext, answer: (n: number) => string, options: {waits?: boolean} = {}) {
	const server = await startRawServer(t, answer);
	const redisUrl = await startRedis(t);
	const site = server.url;
	const settings = readSettings({
		...CALM,
		BOTHY_CONFIG_JSON: JSON.stringify({one: {email: 'one@b', key: KEY, site}, two: {email: 'two@b', key: KEY, site}}),
	});
	const lines: Record<string, unknown>[] = [];
	const log = pino({base: null}, {write: (line: string) => lines.push(JSON.parse(line))});
	const teardown = createTeardown(error => t.fail(String(error)));
	t.teardown(() => teardown.run());
	const clientOf = openClients({settings, log, teardown}, {redisUrl, accounts: readAccounts(settings), ...options});
	const [one, two] = ['one@b', 'two@b'].map(email => clientOf({site, email}));
	if (!one || !two) {
		throw new Error('Expected two clients');
	}

	const redis = await connect(t, redisUrl);
	return {
		server,
		one,
		two,
		trouble: () => readTrouble(redis, accountTag({site, email: 'one@b'})),
		ignored: () => lines.filter(({parameter}) => parameter).map(({msg, level, time, ...rest}) => rest),
	};
}

const success = (fields: string) => httpAnswer('200 OK', `{"result":"success","msg":"",${fields}}\n`);

test('a parameter that the service ignored is logged once for each operation', async t => {
	const ignoring = (...names: string[]) => `"ignored_parameters_unsupported":${JSON.stringify(names)}`;
	const answers = [
		success(`"members":[],${ignoring('a', 'b')}`),
		success(`"members":[],${ignoring('b')}`),
		success(`"streams":[],${ignoring('b')}`),
	];
	const {one, two, ignored} = await openHost(t, n => answers[n - 1] ?? '');

	await one.getUsers();
	await two.getUsers();
	await two.getStreams();

	t.deepEqual(ignored(), [
		{operation: 'getUsers', parameter: 'a'},
		{operation: 'getUsers', parameter: 'b'},
		{operation: 'getStreams', parameter: 'b'},
	]);
});

test('accounts of one site request its level once', async t => {
	const {server, one, two} = await openHost(t, n =>
		success(n === 1 ? '"zulip_version":"11","zulip_feature_level":400' : '"streams":[]'),
	);

	await one.getStreams({include_all: true});
	await two.getStreams({include_all: true});

	t.is(server.count, 3);
	t.is((await server.request(1)).line, 'GET /api/v1/server_settings HTTP/1.1');
});

const limited = (seconds: number) => (n: number) =>
	n === 1
		? httpAnswer(
				'429 Too Many Requests',
				`{"result":"error","msg":"x","code":"RATE_LIMIT_HIT","retry-after":${seconds}}\n`,
			)
		: success('"members":[]');

test('bots wait out a 429 and make no call before', async t => {
	const {server, one} = await openHost(t, limited(0.3), {waits: true});
	const begin = performance.now();

	await one.getUsers();

	// Timers and this clock may differ by a millisecond.
	t.true(performance.now() - begin >= 299);
	t.is(server.count, 2);
});

test('jobs get the 429 as an error, and the next job gets it without a call', async t => {
	const {server, one} = await openHost(t, limited(60));

	const first = await t.throwsAsync(one.getUsers(), {instanceOf: ApiError, code: 'RATE_LIMIT_HIT'});
	const second = await t.throwsAsync(one.getUsers(), {instanceOf: ApiError, code: 'RATE_LIMIT_HIT'});

	t.is(first?.retryAfterSeconds, 60);
	t.true((second?.retryAfterSeconds ?? 61) <= 60);
	t.is(server.count, 1);
});

test('a revoked key stays the trouble of its account while only calls without a key succeed', async t => {
	const refused = httpAnswer('401 Unauthorized', '{"result":"error","msg":"Invalid API key","code":"UNAUTHORIZED"}\n');
	const answers = [refused, success('"realm_name":"x"'), success('"members":[]')];
	const {one, trouble} = await openHost(t, n => answers[n - 1] ?? '');

	await t.throwsAsync(one.getUsers(), {instanceOf: ApiError, code: 'UNAUTHORIZED'});
	await until(async () => (await trouble()) !== undefined);
	await one.getServerSettings();
	t.regex((await trouble())?.reason ?? '', /Invalid API key/);

	await one.getUsers();
	t.true(await until(async () => (await trouble()) === undefined));
});

test('the time at which calls of an account began to fail stays until one succeeds', async t => {
	const redis = await connect(t, await startRedis(t));
	const account = {name: 'echo', site: 'https://chat.example', email: 'echo@b'};
	const log = pino({level: 'silent'});
	const error = new NetworkError('sendMessage', false, {cause: new Error('connect ECONNREFUSED')});
	const failAt = async (at: number) => {
		createTroubles(redis, log, () => at).of(account)(error);
		return until(async () => (await readTrouble(redis, accountTag(account))) !== undefined);
	};
	await failAt(1_000_000);
	await failAt(2_000_000);
	await redis.ping();

	t.deepEqual(await readTrouble(redis, accountTag(account)), {at: 1_000_000, reason: 'connect ECONNREFUSED'});
	createTroubles(redis, log).of(account)();
	t.true(await until(async () => (await readTrouble(redis, accountTag(account))) === undefined));
});
