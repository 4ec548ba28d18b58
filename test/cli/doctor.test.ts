// What `bothy doctor` and the check in the background say of accounts that do not fit their sections.

import test from 'ava';
import {bot} from '../../src/bot/bot.js';
import type {Running} from '../../src/host/announce.js';
import {openAccountChecks} from '../../src/host/checks/account-checks.js';
import {checkAccount} from '../../src/host/checks/check-account.js';
import {judgeAccount, judgeWorkers} from '../../src/host/checks/findings.js';
import {noteCheck} from '../../src/host/checks/noted.js';
import {type AccountStanding, readAccountsStanding} from '../../src/host/checks/standing.js';
import {accountKey, accountTag} from '../../src/redis/account-key.js';
import {signIn, startCommand} from '../helpers/bothy.js';
import {openHouse} from '../helpers/house.js';
import {connect, startRedis} from '../helpers/redis.js';
import {runHere} from '../helpers/terminal.js';

const TOKEN = 'tttttttttttttttttttttttttttttttt';

test('each account that does not match its section is reported with what to do', async t => {
	const house = await openHouse(t, {
		bots: {echo: bot({about: 'x'})},
		async sections(realm) {
			const alice = await signIn(t, realm.url, 'alice@bothy.example');
			const {api_key, user_id} = await alice.createBot({full_name: 'Quiet', short_name: 'quiet', bot_type: 1});
			const {user} = await alice.getUser({user_id});
			const shared = {site: realm.url, bot: 'echo', token: TOKEN};
			return {
				generic: {...shared, email: user.email, key: api_key},
				person: {...shared, email: 'alice@bothy.example', key: alice.key},
				revoked: {...shared, email: 'gone-bot@bothy.example', key: 'wrong'},
				away: {...shared, email: 'away-bot@bothy.example', key: 'k', site: 'http://127.0.0.1:9', token: `${TOKEN}x`},
			};
		},
	});

	const {code, output} = await house.run('doctor', '--json');
	const findings = output
		.trim()
		.split('\n')
		.map(line => JSON.parse(line) as {status: string; about: string; text: string; cure?: string});
	const of = (about: string) => findings.filter(finding => finding.about === about);

	t.is(code, 1);
	t.like(of('Node'), [{status: 'ok'}]);
	t.like(of('Config'), [{status: 'ok'}]);
	t.like(of('Receivers'), [{status: 'error', text: 'no process accepts webhooks'}]);
	t.like(of('Workers'), [{status: 'ok'}]);
	t.like(of('Reruns'), [{status: 'ok'}]);
	t.is(of('echo').at(-1)?.status, 'ok');
	t.regex(of('generic')[0]?.text ?? '', /generic bot gets no webhooks/);
	t.regex(of('person')[0]?.text ?? '', /person's account/);
	t.regex(of('revoked')[0]?.text ?? '', /refuses the account: .*\(/);
	t.regex(of('away')[0]?.text ?? '', /ECONNREFUSED/);
	t.deepEqual(
		findings.filter(({status, cure}) => status !== 'ok' && cure === undefined),
		[],
	);
	t.notRegex(output, new RegExp(`${TOKEN}|${house.accounts.echo?.key}`));
});

test('a worker that has just started is not reported for the sweep that it has not made yet', t => {
	const now = 1_800_000_000_000;
	const judge = (startedAt: number, sweptAt?: number) => {
		const worker: Running = {
			v: 1,
			host: 'h',
			pid: 1,
			version: '1',
			node: 'v',
			roles: ['sweep'],
			seenAt: now,
			startedAt,
		};
		return judgeWorkers({now, queues: [], sweptAt, processes: [worker]}).map(({status}) => status);
	};

	t.deepEqual(judge(now - 5_000), ['ok']);
	t.deepEqual(judge(now - 5_000, now - 3_600_000), ['ok'], 'all workers were stopped for an hour');
	t.deepEqual(judge(now - 60_000), ['error']);
	t.deepEqual(judge(now - 60_000, now - 3_600_000), ['error']);
});

test('a refused key is one finding, also if the hourly check noticed it', async t => {
	const redis = await connect(t, await startRedis(t));
	const text = 'The service refuses the account: Invalid API key (UNAUTHORIZED)';
	const account = {name: 'echo', email: 'echo@x', site: 'https://x', key: 'k', tokens: [], bot: 'echo'} as const;
	await noteCheck(redis, account, {problems: [text, 'A token does not have 32 characters']});
	const {accounts, now} = await readAccountsStanding(redis, [account]);
	const [standing] = accounts;
	const trouble = JSON.stringify({at: now - 600_000, reason: 'register was refused: Invalid API key'});
	const texts = (more: object) => judgeAccount({...(standing as AccountStanding), ...more}, now).map(({text}) => text);

	t.deepEqual(texts({trouble}), [
		'calls have failed for 10 min: register was refused: Invalid API key',
		'A token does not have 32 characters',
	]);
	t.is(texts({})[0], text);
});

test('a delivery that ended its processes does not make its bot slow', async t => {
	const redis = await connect(t, await startRedis(t));
	const account = {name: 'echo', email: 'echo@x', site: 'https://x', key: 'k', tokens: [], bot: 'echo'} as const;
	const key = (what: string) => accountKey(redis, accountTag(account), what);
	const add = async (id: string, status: string) => {
		const at = Date.now() - 60_000;
		await redis.zadd(key('ledger'), at, id);
		await redis.hset(key(`delivery:${id}`), {at, end: at + 30_000, status});
	};
	const tookNow = async () => (await readAccountsStanding(redis, [account])).accounts[0]?.took;

	await add('1-parked', 'parked');
	t.deepEqual(await tookNow(), []);
	await add('2-done', 'done');
	t.deepEqual(await tookNow(), [30_000]);
});

test('a Redis that cannot be reached is a finding, not the end of the check', async t => {
	const echo = {email: 'echo@x', site: 'http://127.0.0.1:9', key: 'k', token: TOKEN};
	const env = {REDIS_URL: 'redis://127.0.0.1:9', BOTHY_CONFIG_JSON: JSON.stringify({echo})};

	const {code, output} = await runHere(['doctor'], {env, connectMs: 100});

	t.is(code, 1);
	t.regex(
		output,
		/^error {4}Redis: Redis \(REDIS_URL\) at 127\.0\.0\.1:9 did not answer within 0\.1 s( \(connect ECONNREFUSED [^)]+\))?\n {9}Start Redis/m,
	);
	t.regex(output, /^error {4}echo: http:\/\/127\.0\.0\.1:9 cannot be used/m);
});

test('a polled outgoing bot is reported in the background, and an unreachable service is not', async t => {
	const account = {
		name: 'echo',
		email: 'e@x',
		key: 'k',
		site: 'https://chat',
		tokens: [],
		bot: 'echo',
		receive: 'events',
	} as const;
	const client = {getOwnUser: async () => ({is_bot: true, bot_type: 3, is_active: true})};
	const away = {
		getOwnUser: async () => {
			throw new Error('No answer');
		},
	};
	// The check calls nothing else of them.
	t.deepEqual(await checkAccount(account, away as never), []);

	const warned = await new Promise<object>(resolve => {
		const log = {warn: (fields: object, message: string) => resolve({...fields, message}), error: t.fail};
		const teardown = {add: (close: () => Promise<unknown>) => t.teardown(close)};
		openAccountChecks({log, teardown} as never, {accounts: [account], clientOf: () => client as never});
	});

	t.like(warned, {
		account: 'echo',
		site: 'https://chat',
		cure: 'Remove `receive`, or create a generic bot for this section.',
	});
});

test('a Redis that needs a password is reported in one sentence that says what to do', async t => {
	const REDIS_URL = await startRedis(t);
	const redis = await connect(t, REDIS_URL);
	await redis.config('SET', 'requirepass', 'secret');
	const echo = {email: 'echo@x', site: 'http://127.0.0.1:9', key: 'k', token: TOKEN};

	const {code, output} = await runHere(['status'], {env: {REDIS_URL, BOTHY_CONFIG_JSON: JSON.stringify({echo})}});

	t.is(code, 1);
	t.regex(
		output,
		/^bothy: Redis \(REDIS_URL\) at \S+ refused the connection: NOAUTH .* Correct user and password in REDIS_URL/m,
	);
	t.notRegex(output, /\n +at /);
});

test('a worker warns about a Redis that may drop data', async t => {
	const REDIS_URL = await startRedis(t);
	const redis = await connect(t, REDIS_URL);
	await redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
	const echo = {email: 'echo@x.example', site: 'http://127.0.0.1:9', key: 'k', token: TOKEN};
	const env = {REDIS_URL, BOTHY_CONFIG_JSON: JSON.stringify({echo})};

	const {found} = await startCommand(t, 'worker', {
		args: ['sends'],
		env,
		ready: /("cure":"CONFIG SET maxmemory-policy noeviction".*needs attention: maxmemory-policy is allkeys-lru)/,
	});

	t.notRegex(found, new RegExp(TOKEN));
});
