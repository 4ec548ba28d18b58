// `bothy worker presence` and `bothy presence` as an operator types them.

import {once} from 'node:events';
import test from 'ava';
import pino from 'pino';
import {readAccounts} from '../../src/config/accounts.js';
import {readSettings} from '../../src/config/settings.js';
import {openClients} from '../../src/host/clients.js';
import {createTeardown} from '../../src/host/teardown.js';
import {openWorkers} from '../../src/host/working.js';
import {CALM, startCommand} from '../helpers/bothy.js';
import {startRedis} from '../helpers/redis.js';
import {runHere} from '../helpers/terminal.js';
import {until} from '../helpers/until.js';
import {openSite} from '../workers/presence-kit.js';

test('presence lists the accounts that are shown as present, out of hours and parked', async t => {
	const site = await openSite(t, {people: 3, name: 'p', pingSeconds: 1});
	const [person, away, wrong] = site.accounts;
	if (!person || !away || !wrong) {
		throw new Error('Expected three people');
	}

	const REDIS_URL = await startRedis(t);
	const otherDay = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'][(new Date().getUTCDay() + 3) % 7];
	const section = ({email, key}: {email: string; key: string}) => ({email, key, site: site.realm.url});
	const bot = site.realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'});
	const BOTHY_CONFIG_JSON = JSON.stringify({
		person: {...section(person), presence: 'active'},
		away: {...section(away), presence: 'idle', 'presence-hours': `${otherDay} 0:00-24:00 UTC`},
		wrong: {...section(wrong), key: 'abcdefghijklmnopqrstuvwxyz012345', presence: 'active'},
		echo: {...section(bot), token: bot.token, presence: 'active'},
		silent: {...section(person), email: 'silent@bothy.example'},
	});
	const env = {BOTHY_CONFIG_JSON, REDIS_URL};
	const list = async () => {
		const {output} = await runHere(['presence', '--json'], {env});
		return output
			.trim()
			.split('\n')
			.map(line => JSON.parse(line) as Record<string, unknown>);
	};

	t.deepEqual(
		(await list()).map(({account, last_ping}) => [account, last_ping]),
		[
			['person', null],
			['away', null],
			['wrong', null],
			['echo', null],
		],
	);
	let logged = '';
	const log = pino(
		{},
		{
			write(line: string) {
				logged += line;
			},
		},
	);
	const teardown = createTeardown(error => t.fail(String(error)));
	t.teardown(() => teardown.run());
	const settings = readSettings({...CALM, ...env});
	const host = {settings, log, teardown};
	const accounts = readAccounts(settings);
	const clientOf = openClients(host, {redisUrl: REDIS_URL, accounts});
	const startedAt = Date.now();
	await openWorkers(host, {redisUrl: REDIS_URL, accounts, clientOf}, ['presence']);
	await until(async () => /parked this account/.test(logged) && (await list())[0]?.last_ping !== null);

	await teardown.run();

	const [first, second, third, fourth] = await list();
	t.like(first, {account: 'person', status: 'active', in_hours: true, parked: null, failed: null});
	const pingedAt = Date.parse(String(first?.last_ping));
	t.true(startedAt <= pingedAt && pingedAt <= Date.now(), String(first?.last_ping));
	t.like(second, {account: 'away', status: 'idle', in_hours: false, last_ping: null, parked: null});
	t.like(third, {account: 'wrong', last_ping: null, parked: 'Invalid API key (UNAUTHORIZED)'});
	t.regex(String(fourth?.parked), /^it is a bot/);
	t.deepEqual(site.pingsOf(away), []);

	const {output} = await runHere(['presence'], {env});
	t.regex(output, /^person {2}active {2}in hours {6}last ping \S/m);
	t.regex(output, /^away {4}idle {4}out of hours {2}last ping never$/m);
	t.regex(output, /^wrong {3}active .* parked until its section changes: Invalid API key/m);
	t.notRegex(output + logged, new RegExp(`${person.key}|${away.key}|abcdefghijklmnopqrstuvwxyz012345`));
});

test('without any such account, presence says how to set one up', async t => {
	const BOTHY_CONFIG_JSON = JSON.stringify({a: {email: 'a@b', key: 'k', site: 'https://c'}});

	const {code, output} = await runHere(['presence'], {env: {BOTHY_CONFIG_JSON}});

	t.is(code, 0);
	t.regex(output, /No account has `presence = active` or `presence = idle`/);
});

test('a worker for presence alone keeps running without any account', async t => {
	const BOTHY_CONFIG_JSON = JSON.stringify({a: {email: 'a@b', key: 'k', site: 'https://c'}});
	const env = {BOTHY_CONFIG_JSON, REDIS_URL: 'redis://127.0.0.1:1'};
	const worker = await startCommand(t, 'worker', {args: ['presence'], env, ready: /(Worker\s+presence)/});

	worker.process.kill('SIGTERM');

	// One that ended by itself, for there was nothing to wait for, would have another exit code.
	t.deepEqual(await once(worker.process, 'exit'), [0, null]);
	t.regex(worker.output(), /no account has `presence`/);
});
