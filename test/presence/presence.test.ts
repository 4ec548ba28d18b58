import test from 'ava';
import fc from 'fast-check';
import {ApiError, NetworkError} from '../../src/client/errors.js';
import {type PresentAccount, presenceStateOf} from '../../src/presence/account.js';
import {dueTimes, SLICES, sliceOf} from '../../src/presence/due.js';
import {parseHours} from '../../src/presence/hours.js';
import {Pinger} from '../../src/presence/pinger.js';
import {createSites} from '../../src/presence/sites.js';
import {createPresenceStore} from '../../src/presence/store.js';
import {connect} from '../helpers/redis.js';
import {connectToRedis, openRedis} from '../helpers/shared-redis.js';
import {createService} from '../workers/presence-kit.js';
import {createVirtualTime} from '../workers/virtual-time.js';

const tags = Array.from({length: 1_000}, (_, n) => `https://chat.example.com|person-${n}@example.com`);

test('consecutive ranges each get their own pings, one for every interval', t => {
	const cut = fc.array(fc.integer({min: 1, max: 90_000}), {minLength: 1, maxLength: 20});
	const details = fc.check(
		fc.property(
			fc.constantFrom(...tags),
			fc.integer({min: 1_000, max: 120_000}),
			fc.integer({min: 0, max: 2e12}),
			cut,
			(tag, intervalMs, start, lengths) => {
				let from = start;
				const found: number[] = [];
				for (const length of lengths) {
					const until = from + length;
					const times = dueTimes(tag, {intervalMs, from, until});
					if (times.some(at => at < from || at >= until)) {
						return false;
					}

					found.push(...times);
					from = until;
				}

				const expected = Math.floor((from - start) / intervalMs);
				const isEven = found.slice(1).every((at, n) => at - (found[n] ?? 0) === intervalMs);
				return isEven && found.length >= expected && found.length <= expected + 1;
			},
		),
	);
	t.is(fc.defaultReportMessage(details), undefined);
});

test('a range that ends before it begins has no ping due', t => {
	t.deepEqual(dueTimes('x', {intervalMs: 1_000, from: 5_000, until: 2_000}), []);
});

test('accounts spread over the interval and over the slices', t => {
	const tenths = Array.from({length: 10}, () => 0);
	const slices = Array.from({length: SLICES}, () => 0);
	for (const tag of tags) {
		const [at = -1] = dueTimes(tag, {intervalMs: 60_000, from: 0, until: 60_000});
		tenths[Math.floor(at / 6_000)] = (tenths[Math.floor(at / 6_000)] ?? 0) + 1;
		slices[sliceOf(tag)] = (slices[sliceOf(tag)] ?? 0) + 1;
	}

	t.true(
		tenths.every(count => count > 60 && count < 140),
		tenths.join(' '),
	);
	t.true(
		slices.every(count => count > 110 && count < 225),
		slices.join(' '),
	);
});

test('each due time of a slice is claimed once', async t => {
	const store = createPresenceStore(await connectToRedis(t));
	const claim = (now: number, until: number, slice = 0) => store.claim(slice, {now, until, catchUpMs: 50});

	t.is(await claim(1_000, 1_100), 1_000, 'nobody had it');
	t.is(await claim(1_090, 1_190), 1_100, 'the next goes on where the one before ends');
	t.deepEqual(await Promise.all([claim(1_200, 1_300), claim(1_200, 1_300)]), [1_190, 1_300], 'a doubled job gets none');
	t.is(await claim(1_210, 1_250), 1_300, 'nor does one whose clock is behind');
	t.is(await claim(1_310, 1_400), 1_300, 'which takes nothing from the next');
	t.is(await claim(1_451, 1_500), 1_451, 'a due time that passed long ago is not claimed');
	t.is(await claim(1_300, 1_400, 1), 1_300, 'another slice is apart');
});

const account: PresentAccount = {
	name: 'alice',
	email: 'alice@example.com',
	key: 'abcdefghijklmnopqrstuvwxyz012345',
	site: 'https://chat.example.com',
	tokens: [],
	presence: {status: 'active'},
};

test('the state of an account stays until its configuration changes', async t => {
	const store = createPresenceStore(await connectToRedis(t));
	const parked = {...presenceStateOf(account, undefined), parked: {at: 5, reason: 'Invalid API key (UNAUTHORIZED)'}};
	await store.write(new Map([['a', parked]]));
	const [kept, unknown] = await store.read(['a', 'b']);

	t.deepEqual(presenceStateOf(account, kept), parked);
	t.is(unknown, undefined);
	for (const change of [
		{key: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ012345'},
		{presence: {status: 'idle'} as const},
		{presence: {status: 'active', hours: [{days: [1], from: 0, to: 60, zone: 'UTC'}]} as const},
	]) {
		t.is(presenceStateOf({...account, ...change}, kept).parked, undefined);
	}

	t.deepEqual(await store.read([]), []);
});

test('values of another version are ignored', async t => {
	const url = await openRedis(t);
	const [redis, store] = [await connect(t, url), createPresenceStore(await connect(t, url))];
	await redis.hset('bothy:{presence}:accounts', {a: '{"v":2,"config":"x"}', b: 'rubbish'});

	t.deepEqual(await store.read(['a', 'b']), [undefined, undefined]);
});

test('a site is asked for its ping interval once an hour', async t => {
	let nowMs = 0;
	const site = createSites(() => nowMs)('https://chat.example.com');
	const ask = (answerMs: number) => site.intervalMs(async () => answerMs);

	t.is(await ask(30_000), 30_000);
	nowMs += 3_599_999;
	t.is(await ask(45_000), 30_000);
	nowMs += 1;
	t.is(await ask(45_000), 45_000);
});

test('in an outage the last known interval is used, and the site is asked again a minute later', async t => {
	let nowMs = 0;
	const site = createSites(() => nowMs)('https://chat.example.com');
	const fail = () => site.intervalMs(() => Promise.reject(new NetworkError('register', false, {cause: 'away'})));

	t.is(await fail(), 60_000);
	t.is(await site.intervalMs(async () => 30_000), 60_000);
	nowMs += 60_000;
	t.is(await site.intervalMs(async () => 30_000), 30_000);
	nowMs += 3_600_000;
	t.is(await fail(), 30_000);
});

test('if one account may not ask for the interval, the next one asks', async t => {
	const site = createSites(() => 0)('https://chat.example.com');

	t.is(
		await site.intervalMs(() => Promise.reject(new ApiError('register', 'UNAUTHORIZED', 401, 'Invalid API key', {}))),
		60_000,
	);
	t.is(await site.intervalMs(async () => 30_000), 30_000);
});

test('each site has its own interval', t => {
	const siteOf = createSites(() => 0);

	t.is(siteOf('https://a.example.com'), siteOf('https://a.example.com'));
	t.not(siteOf('https://a.example.com'), siteOf('https://b.example.com'));
});

test('no ping is sent if the hours end while the service reports who somebody is', async t => {
	const time = createVirtualTime(Date.parse('2026-11-20T17:29:59Z'));
	const service = createService(time, {people: 1, serve: () => time.pass(1_000)});
	const [person] = service.accounts as [PresentAccount];
	const account: PresentAccount = {...person, presence: {status: 'active', hours: parseHours('Fri 9:00-17:30 UTC')}};
	const pinger = new Pinger({
		account,
		state: presenceStateOf(account, undefined),
		client: service.clientOf(account),
		site: createSites(time.now)(account.site),
		log: {info() {}, warn() {}, error() {}},
		now: time.now,
		signal: new AbortController().signal,
		keep: async () => {},
	});

	await pinger.ping({staleAt: Number.POSITIVE_INFINITY});

	t.deepEqual(
		service.calls.map(({operation}) => operation),
		['getOwnUser'],
	);
	t.like(pinger.state, {isPerson: true, pingedAt: undefined});
});
