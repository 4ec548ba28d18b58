import test, {type ExecutionContext} from 'ava';
import {createClient} from '../../src/client/client.js';
import {ApiError, NetworkError} from '../../src/client/errors.js';
import type {PresentAccount} from '../../src/presence/account.js';
import {parseHours} from '../../src/presence/hours.js';
import {startOwnRedis} from '../faults/trouble/own-redis.js';
import {dataFolder} from '../helpers/bothy.js';
import {connect} from '../helpers/redis.js';
import {connectToRedis} from '../helpers/shared-redis.js';
import {createProcess, createService, makeJobs, openSite} from './presence-kit.js';
import {createVirtualTime} from './virtual-time.js';

const MINUTE_MS = 60_000;

const gapsOf = (times: readonly number[]) => times.slice(1).map((time, n) => time - (times[n] ?? 0));

/** Each account was pinged once in each of the last minutes, at even intervals. */
function arePinged(
	t: ExecutionContext,
	{accounts, pingsOf}: ReturnType<typeof createService>,
	{times, until}: {times: number; until: number},
) {
	for (const account of accounts) {
		const pings = pingsOf(account).filter(at => at >= until - times * MINUTE_MS && at < until);
		t.deepEqual(gapsOf(pings), Array(times - 1).fill(MINUTE_MS));
	}
}

test('a thousand accounts on ten sites are pinged once in each interval, with few commands', async t => {
	const time = createVirtualTime();
	const services = Array.from({length: 10}, (_, n) =>
		createService(time, {people: 100, site: `https://site${n}.example.com`}),
	);
	const redis = await connectToRedis(t);
	let commands = 0;
	const send = redis.sendCommand.bind(redis);
	redis.sendCommand = (...words) => {
		commands += 1;
		return send(...words);
	};
	const worker = createProcess(time, redis, {
		accounts: services.flatMap(({accounts}) => accounts),
		clientOf: account => services.find(({accounts}) => accounts[0]?.site === account.site)?.clientOf(account),
	});
	const jobs = makeJobs(time, () => [worker]);

	await time.pass(4 * MINUTE_MS);

	for (const service of services) {
		arePinged(t, service, {times: 3, until: time.now()});
	}

	const calls = services.flatMap(service => service.calls).map(({operation}) => operation);
	t.is(calls.filter(operation => operation === 'getOwnUser').length, 1_000);
	t.is(calls.filter(operation => operation === 'register').length, 10, 'one account asks for all of its site');
	// One for each account that turns out to be a person. A job claims, reads, and writes for each site.
	t.true(commands <= 1_000 + jobs.made * (2 + 10), `${commands} commands for ${jobs.made} jobs`);
	t.deepEqual([worker.told, jobs.failed], [[], []]);
});

test('a site that answers late delays no other, and has twenty concurrent calls', async t => {
	const time = createVirtualTime();
	const quick = createService(time, {people: 60, site: 'https://quick.example.com'});
	let [atOnce, most] = [0, 0];
	const slow = createService(time, {
		people: 60,
		site: 'https://slow.example.com',
		// More often than it answers.
		pingSeconds: 5,
		async serve({operation}) {
			if (operation === 'register' || operation === 'deleteQueue') {
				return;
			}

			atOnce += 1;
			most = Math.max(most, atOnce);
			await time.sleep(10_000);
			atOnce -= 1;
			throw new NetworkError(operation, true, {cause: 'Nothing came'});
		},
	});
	const worker = createProcess(time, await connectToRedis(t), {
		accounts: [...slow.accounts, ...quick.accounts],
		clientOf: account => (account.site === slow.accounts[0]?.site ? slow : quick).clientOf(account),
	});
	makeJobs(time, () => [worker]);

	await time.pass(6 * MINUTE_MS);

	t.is(most, 20);
	t.is(worker.told.length, 1, 'an outage is told once');
	arePinged(t, quick, {times: 5, until: time.now()});
});

test('two processes share the accounts and ping none twice, and one takes over the accounts of the other', async t => {
	const time = createVirtualTime();
	const service = createService(time, {people: 120});
	const redis = await connectToRedis(t);
	const seenBy = [new Set<string>(), new Set<string>()];
	const [one, two] = seenBy.map(seen =>
		createProcess(time, redis, {
			accounts: service.accounts,
			clientOf(account) {
				seen.add(account.email);
				return service.clientOf(account);
			},
		}),
	) as [ReturnType<typeof createProcess>, ReturnType<typeof createProcess>];
	let isStopped = false;
	// Some jobs reach both.
	makeJobs(time, n => (isStopped ? [two] : n % 5 === 0 ? [one, two] : [n % 2 === 0 ? one : two]));

	await time.pass(5 * MINUTE_MS);
	t.deepEqual(
		seenBy.map(seen => seen.size > 0),
		[true, true],
	);
	one.stop();
	isStopped = true;
	await time.pass(5 * MINUTE_MS);

	const gaps = new Set(service.accounts.flatMap(account => gapsOf(service.pingsOf(account))));
	// The process that stopped has left some pings undone.
	t.deepEqual(gaps, new Set([MINUTE_MS, 2 * MINUTE_MS]));
	for (const account of service.accounts) {
		t.true(service.pingsOf(account).some(at => at >= time.now() - MINUTE_MS));
	}
});

test('no ping is sent out of hours, and the last one is sent before they end', async t => {
	const time = createVirtualTime(Date.parse('2026-11-20T16:25:00Z'));
	// A Friday, half past five in the afternoon in Berlin.
	const end = Date.parse('2026-11-20T16:30:00Z');
	const service = createService(time, {people: 60});
	const hours = ['Mon-Fri 9:00-17:30', 'Fri 17:30-18:00', 'Sat-Thu 0:00-24:00'];
	const accounts = service.accounts.map((account, n): PresentAccount => {
		const own = parseHours(`${hours[n % 3]} Europe/Berlin`);
		return {...account, presence: {status: 'idle', hours: own}};
	});
	const worker = createProcess(time, await connectToRedis(t), {accounts, clientOf: service.clientOf});
	makeJobs(time, () => [worker]);

	await time.pass(10 * MINUTE_MS);

	for (const [n, account] of accounts.entries()) {
		const pings = service.pingsOf(account);
		const expected = [
			() => pings.every(at => at < end) && Math.max(...pings) >= end - MINUTE_MS,
			() => pings.every(at => at >= end) && Math.min(...pings) < end + MINUTE_MS,
			() => pings.length === 0,
		];
		t.true(expected[n % 3]?.(), `${hours[n % 3]}: pinged ${pings.map(at => at - end).join(' ')} ms after 17:30`);
	}
});

test('bots and refused accounts are parked until their configuration changes', async t => {
	const time = createVirtualTime();
	const redis = await connectToRedis(t);
	const site = await openSite(t, {people: 2, name: 'people', pingSeconds: 60});
	const [person, stranger] = site.accounts as [PresentAccount, PresentAccount];
	const made = site.realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'});
	const quiet = site.realm.ensureBot({name: 'quiet', fullName: 'Quiet', payloadUrl: 'http://127.0.0.1:9/'});
	const bot = {...person, name: 'echo', email: made.email, key: made.key, tokens: [made.token]};
	const quietBot = {...person, name: 'quiet', email: quiet.email, key: quiet.key};
	const wrong = {...stranger, key: 'abcdefghijklmnopqrstuvwxyz012345'};
	const callsOf = ({email}: {email: string}) =>
		site.calls
			.filter(call => call.email === email && !['register', 'deleteQueue'].includes(call.operation))
			.map(({operation}) => operation);
	/** Runs a process for some minutes. Resolves with the accounts in its warnings. */
	async function runFor(minutes: number, accounts: readonly PresentAccount[]) {
		const clients = new Map(
			accounts.map(account => [account.email, createClient({...account, userAgent: 'Bothy/1.2.3'})]),
		);
		const held = new Map([...clients].map(([email, client]) => [email, time.holdDuring(client)]));
		const worker = createProcess(time, redis, {accounts, clientOf: ({email}) => held.get(email)});
		let isStopped = false;
		const jobs = makeJobs(time, () => (isStopped ? [] : [worker]));
		await time.pass(minutes * MINUTE_MS);
		isStopped = true;
		worker.stop();
		await time.pass(0);
		await Promise.all([...clients.values()].map(client => client.close()));
		t.deepEqual(jobs.failed, []);
		return worker.told.map(fields => ('account' in fields ? fields.account : fields));
	}

	const told = await runFor(3, [person, bot, quietBot, wrong]);
	// Another process knows it too.
	told.push(...(await runFor(3, [person, bot, quietBot, wrong])));

	t.true(site.pingsOf(person).length >= 4);
	t.deepEqual(callsOf(bot), []);
	t.deepEqual(callsOf(quietBot), ['getOwnUser']);
	t.deepEqual(site.pingsOf(stranger), []);
	t.deepEqual(told.toSorted(), [wrong.name, quietBot.name]);

	await runFor(3, [person, bot, quietBot, stranger]);
	t.true(site.pingsOf(stranger).length >= 2);
	t.deepEqual(callsOf(quietBot), ['getOwnUser']);

	const kept = await redis.hvals('bothy:{presence}:accounts');
	t.notRegex(kept.join(), new RegExp(site.accounts.map(({key}) => key).join('|')));
});

test('an account waits as long as the service asks, and an outage parks no account and is logged once', async t => {
	const time = createVirtualTime();
	let failures = 3;
	const service = createService(time, {
		people: 2,
		async serve({operation, email}) {
			const n = service.calls.filter(call => call.operation === operation && call.email === email).length;
			if (operation === 'updatePresence' && email === limited.email && n === 1) {
				throw new ApiError(operation, 'RATE_LIMIT_HIT', 429, 'slow down', {'retry-after': 90});
			}

			if (operation === 'updatePresence' && email === cut.email && failures-- > 0) {
				throw new NetworkError(operation, true, {cause: 'cut'});
			}
		},
	});
	const [limited, cut] = service.accounts as [PresentAccount, PresentAccount];
	const worker = createProcess(time, await connectToRedis(t), service);
	makeJobs(time, () => [worker]);

	await time.pass(10 * MINUTE_MS);

	const [pause, ...gaps] = gapsOf(service.pingsOf(limited));
	t.is(pause, 2 * MINUTE_MS, 'the first ping that is due when the time asked for is over');
	t.deepEqual([...new Set([...gaps, ...gapsOf(service.pingsOf(cut))])], [MINUTE_MS]);
	t.like(worker.told, [{site: 'https://chat.example.com', reason: 'No answer to updatePresence: cut'}]);
});

test('a Redis that refuses writes fails a job, and does not end the process', async t => {
	const own = await startOwnRedis(await dataFolder(t));
	t.teardown(() => own.stop());
	const admin = await connect(t, own.url);
	const time = createVirtualTime();
	const service = createService(time, {
		people: 1,
		// Several pings in one job: the job continues when the first one fails.
		pingSeconds: 5,
		async serve({operation}) {
			if (operation === 'register') {
				// The slice is claimed by now, but no account is pinged yet.
				await admin.call('CONFIG', 'SET', 'maxmemory', '1');
			} else if (operation === 'getOwnUser') {
				throw new ApiError(operation, 'UNAUTHORIZED', 401, 'Invalid API key', {});
			}
		},
	});
	const clientOf = (account: {email: string}) => time.holdDuring(service.clientOf(account));
	const worker = createProcess(time, await connect(t, own.url), {...service, clientOf});
	const jobs = makeJobs(time, () => [worker]);

	// Unhandled, these end a worker's process with all its roles. AVA ends it too.
	const unheard: unknown[] = [];
	const note = (error: unknown) => unheard.push(error);
	process.on('unhandledRejection', note);
	t.teardown(() => process.off('unhandledRejection', note));

	await time.pass(2 * MINUTE_MS);

	t.regex(String(jobs.failed[0]), /OOM/);
	t.deepEqual(unheard, []);
});
