import {setTimeout as sleep} from 'node:timers/promises';
import test from 'ava';
import {createClient} from '../../src/client/client.js';
import {accountTag} from '../../src/delivery/ref.js';
import type {PresentAccount} from '../../src/presence/account.js';
import {sliceOf} from '../../src/presence/due.js';
import {parseHours} from '../../src/presence/hours.js';
import {createSites} from '../../src/presence/sites.js';
import {createPresenceStore} from '../../src/presence/store.js';
import presenceWorker, {type PresenceTools} from '../../workers/presence.js';
import {startOwnRedis} from '../faults/own-redis.js';
import {dataFolder} from '../helpers/bothy.js';
import {connect, startRedis} from '../helpers/redis.js';
import {cause} from '../realm/realm-kit.js';
import {openSite, openSlowSite, startPresence, until} from './presence-kit.js';

/** How far from its time a ping may come on a busy machine. */
const TOLERANCE_MS = 1_500;

test.serial('a site that answers after 30 s delays no other', async t => {
	const redisUrl = await startRedis(t);
	const [site, slow] = [await openSite(t, {people: 60, name: 'quick', pingSeconds: 2}), await openSlowSite(t, 30_000)];
	// So many that it has as many calls at once as one site may.
	const slowOnes = Array.from({length: 8}, (_, part) =>
		site.accounts.map((account, n) => ({...account, email: `slow-${part}-${n}@bothy.example`, site: slow.url})),
	).flat();

	const worker = await startPresence(t, redisUrl, {accounts: [...slowOnes, ...site.accounts], lastsMs: 4_000});
	await until(() => site.accounts.every(account => site.pingsOf(account).length > 0));
	await sleep(16_000);
	await worker.close();

	t.true([20, 21].includes(slow.mostAtOnce), `at once the slow site had ${slow.mostAtOnce} calls`);
	for (const account of site.accounts) {
		const at = site.pingsOf(account);
		const gaps = at.slice(1).map((time, n) => time - (at[n] ?? 0));
		t.true(at.length >= 8 && Math.max(...gaps) < 2_000 + TOLERANCE_MS, `${account.name}: gaps of ${gaps.join(' ')} ms`);
	}
});

test.serial('two workers share the accounts and ping none twice', async t => {
	const redisUrl = await startRedis(t);
	const site = await openSite(t, {people: 120, name: 'shared', pingSeconds: 3});
	const looks = [0, 0];
	const start = (n: 0 | 1) =>
		startPresence(t, redisUrl, {
			accounts: site.accounts,
			lastsMs: 1_500,
			onCall() {
				looks[n] = (looks[n] ?? 0) + 1;
			},
		});

	const workers = [await start(0), await start(1)];
	await until(() => site.accounts.every(account => site.pingsOf(account).length >= 3));
	// What one leaves, the other does.
	await workers[0]?.close();
	const closedAt = Date.now();
	await until(() => site.accounts.every(account => site.pingsOf(account).filter(at => at > closedAt).length >= 2));
	await workers[1]?.close();

	t.true(
		looks.every(count => count > 0),
		`both have looked after accounts: ${looks.join(' and ')}`,
	);
	const gaps = site.accounts.flatMap(account => {
		const at = site.pingsOf(account);
		return at.slice(1).map((time, n) => time - (at[n] ?? 0));
	});
	t.true(Math.min(...gaps) > 1_000, `the shortest gap was ${Math.min(...gaps)} ms`);
	// The one that stopped may have left a ping undone.
	t.true(Math.max(...gaps) < 6_000 + TOLERANCE_MS, `the longest gap was ${Math.max(...gaps)} ms`);
});

test.serial('no ping leaves out of hours, and the last one before their end', async t => {
	const redisUrl = await startRedis(t);
	const site = await openSite(t, {people: 60, name: 'hours', pingSeconds: 1});
	// A Friday at 17:29:54 in Berlin, from now on.
	const shiftMs = Date.parse('2026-11-20T16:29:54Z') - Date.now();
	const now = () => Date.now() + shiftMs;
	const hours = [
		'Mon-Fri 9:00-17:30 Europe/Berlin',
		'Fri 17:30-18:00 Europe/Berlin',
		'Sat-Thu 0:00-24:00 Europe/Berlin',
	];
	const accounts = site.accounts.map(
		(account, n): PresentAccount => ({
			...account,
			presence: {status: 'idle', hours: parseHours(hours[n % 3] ?? '')},
		}),
	);

	const worker = await startPresence(t, redisUrl, {accounts, lastsMs: 1_000, now});
	const endMs = Date.parse('2026-11-20T16:30:00Z') - shiftMs;
	const later = accounts.filter((_, n) => n % 3 === 1);
	await until(() => later.every(account => site.pingsOf(account).length >= 2));
	await worker.close();

	for (const [n, account] of accounts.entries()) {
		const at = site.pingsOf(account);
		const expected = [
			() => at.length >= 2 && Math.max(...at) < endMs + 500,
			() => Math.min(...at) >= endMs,
			() => at.length === 0,
		];
		t.true(expected[n % 3]?.(), `${hours[n % 3]}: pinged ${at.map(time => time - endMs).join(' ')} ms after 17:30`);
	}
});

test.serial('bots and refused accounts are parked until their configuration changes', async t => {
	const redisUrl = await startRedis(t);
	const site = await openSite(t, {people: 2, name: 'people', pingSeconds: 1});
	const [person, stranger] = site.accounts as [PresentAccount, PresentAccount];
	const made = site.realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'});
	const quiet = site.realm.ensureBot({name: 'quiet', fullName: 'Quiet', payloadUrl: 'http://127.0.0.1:9/'});
	const bot = {...person, name: 'echo', email: made.email, key: made.key, tokens: [made.token]};
	const quietBot = {...person, name: 'quiet', email: quiet.email, key: quiet.key};
	const wrong = {...stranger, key: 'abcdefghijklmnopqrstuvwxyz012345'};
	const callsOf = ({email}: {email: string}) =>
		site.calls.filter(call => call.email === email && !['register', 'deleteQueue'].includes(call.operation));
	const pinged = (account: PresentAccount, times: number) => until(() => site.pingsOf(account).length >= times);
	const options = {accounts: [person, bot, quietBot, wrong], lastsMs: 500};

	const first = await startPresence(t, redisUrl, options);
	await pinged(person, 4);
	await first.close();
	// Another process knows it too.
	const second = await startPresence(t, redisUrl, options);
	await pinged(person, 8);
	await second.close();

	t.deepEqual(callsOf(bot), []);
	t.deepEqual(
		callsOf(quietBot).map(({operation}) => operation),
		['getOwnUser'],
	);
	t.deepEqual(site.pingsOf(stranger), []);
	t.deepEqual(
		[...first.warnings, ...second.warnings].map(fields => ('account' in fields ? fields.account : fields)).toSorted(),
		[wrong.name, quietBot.name],
	);

	const third = await startPresence(t, redisUrl, {...options, accounts: [person, bot, quietBot, stranger]});
	await pinged(stranger, 2);
	await third.close();
	t.is(callsOf(quietBot).length, 1);

	const keys = await (await connect(t, redisUrl)).hvals('bothy:{presence}:accounts');
	t.notRegex(keys.join(), new RegExp(site.accounts.map(({key}) => key).join('|')));
});

test.serial('an account waits as long as the service asks, and an outage parks nobody', async t => {
	const redisUrl = await startRedis(t);
	const site = await openSite(t, {people: 2, name: 'patient', pingSeconds: 1});
	const [limited, cut] = site.accounts as [PresentAccount, PresentAccount];
	const answers = (account: PresentAccount) =>
		site.calls.filter(call => call.operation === 'updatePresence' && call.email === account.email);
	await cause(site.realm, '/calls', {
		kind: '429',
		operation: 'updatePresence',
		account: limited.email,
		retry_after: 12,
	});
	// It is over before the other account may call again, on a busy machine too.
	for (const kind of ['break-before', '502-html', '500']) {
		await cause(site.realm, '/calls', {kind, operation: 'updatePresence', account: cut.email});
	}

	const worker = await startPresence(t, redisUrl, {accounts: site.accounts, lastsMs: 500});
	const served = (account: PresentAccount) => answers(account).filter(({status}) => status === 200);
	await until(() => served(limited).length >= 2 && served(cut).length >= 2);
	await worker.close();

	const [refusal, next] = answers(limited);
	t.is(refusal?.status, 429);
	t.true((next?.atMs ?? 0) - (refusal?.atMs ?? 0) >= 12_000, 'the next call came after the time asked for');
	t.true(worker.warnings.length === 1, 'an outage is told once');
});

test.serial('a Redis that takes nothing more ends a job as failed, and not the process', async t => {
	const redis = await startOwnRedis(await dataFolder(t));
	t.teardown(() => redis.stop());
	const admin = await connect(t, redis.url);
	const site = await openSite(t, {people: 1, name: 'full', pingSeconds: 1});
	const [person] = site.accounts as [PresentAccount];
	const account = {...person, key: 'abcdefghijklmnopqrstuvwxyz012345'};
	const slice = sliceOf(accountTag(account));
	const client = createClient({...account, userAgent: 'Bothy/1.2.3'});
	t.teardown(() => client.close());
	const tools: PresenceTools = {
		accounts: [account],
		clientOf() {
			// The slice is claimed by now, and nobody is pinged yet.
			void admin.call('CONFIG', 'SET', 'maxmemory', '1');
			return client;
		},
		siteOf: createSites(Date.now),
		store: createPresenceStore(await connect(t, redis.url)),
		log: {info() {}, warn() {}, error() {}},
		now: Date.now,
		signal: new AbortController().signal,
	};
	// The site need not be asked, since the account may not.
	await tools.siteOf(site.realm.url).intervalMs(async () => 1_000);

	// Where nobody listens these end a worker's process, with all its roles; AVA does.
	const unheard: unknown[] = [];
	const note = (error: unknown) => unheard.push(error);
	process.on('unhandledRejection', note);
	t.teardown(() => process.off('unhandledRejection', note));

	await t.throwsAsync(presenceWorker.run({v: 1, slice, lastsMs: 3_000}, tools, 0), {message: /OOM/});

	t.deepEqual(unheard, []);
});
