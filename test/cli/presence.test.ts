// `bothy worker presence` and `bothy presence` as an operator types them.

import {once} from 'node:events';
import {setTimeout as sleep} from 'node:timers/promises';
import test from 'ava';
import {runBothy, startCommand} from '../helpers/bothy.js';
import {startRedis} from '../helpers/redis.js';
import {openSite, until} from '../workers/presence-kit.js';

test.serial('an operator sees who is shown as present, who is out of hours and who is parked', async t => {
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
	const env = {BOTHY_CONFIG_JSON, REDIS_URL, TZ: 'UTC', LOG_LEVEL: 'warn'};
	const list = async () => {
		const {output} = await runBothy(['presence', '--json'], env);
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
	const worker = await startCommand(t, 'worker', {env, ready: /(Worker\s+.*presence)/});
	// The line of a job's accounts is written when the job ends, after 30 s; a process that stops writes it too.
	await until(() => site.pingsOf(person).length > 0, 60_000);
	await until(() => /no presence for this account/.test(worker.output()), 60_000);
	const stopped = new Promise(resolve => worker.process.once('exit', resolve));
	worker.process.kill('SIGTERM');
	t.is(await stopped, 0);

	const [first, second, third, fourth] = await list();
	t.like(first, {account: 'person', status: 'active', in_hours: true, parked: null, failed: null});
	t.true(Math.abs(Date.parse(String(first?.last_ping)) - (site.pingsOf(person).at(-1) ?? 0)) < 1_000);
	t.like(second, {account: 'away', status: 'idle', in_hours: false, last_ping: null, parked: null});
	t.like(third, {account: 'wrong', last_ping: null, parked: 'Invalid API key (UNAUTHORIZED)'});
	t.regex(String(fourth?.parked), /^it is a bot/);
	t.deepEqual(site.pingsOf(away), []);

	const {output} = await runBothy(['presence'], env);
	t.regex(output, /^person {2}active {2}in hours {6}last ping \S/m);
	t.regex(output, /^away {4}idle {4}out of hours {2}last ping never$/m);
	t.regex(output, /^wrong {3}active .* parked until its configuration changes: Invalid API key/m);
	t.notRegex(output + worker.output(), new RegExp(`${person.key}|${away.key}|abcdefghijklmnopqrstuvwxyz012345`));
});

test.serial('without an account that is shown as present an operator reads how one becomes so', async t => {
	const BOTHY_CONFIG_JSON = JSON.stringify({a: {email: 'a@b', key: 'k', site: 'https://c'}});

	const {code, output} = await runBothy(['presence'], {BOTHY_CONFIG_JSON});

	t.is(code, 0);
	t.regex(output, /No account has `presence = active` or `presence = idle`/);
});

test.serial('a worker of presence alone runs on where there is nothing to do', async t => {
	const BOTHY_CONFIG_JSON = JSON.stringify({a: {email: 'a@b', key: 'k', site: 'https://c'}});
	const env = {BOTHY_CONFIG_JSON, REDIS_URL: 'redis://127.0.0.1:1'};
	const worker = await startCommand(t, 'worker', {args: ['presence'], env, ready: /(Worker\s+presence)/});

	const ended = await Promise.race([once(worker.process, 'exit'), sleep(500)]);

	t.is(ended, undefined);
	t.regex(worker.output(), /no account is to be shown as present/);
});
