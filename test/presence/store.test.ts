import test from 'ava';
import {type PresentAccount, presenceStateOf} from '../../src/presence/account.js';
import {createPresenceStore} from '../../src/presence/store.js';
import {connect} from '../helpers/redis.js';
import {connectToRedis, openRedis} from '../helpers/shared-redis.js';

test('every moment of a slice is given out once', async t => {
	const store = createPresenceStore(await connectToRedis(t));
	const claim = (now: number, until: number, slice = 0) => store.claim(slice, {now, until, catchUpMs: 50});

	t.is(await claim(1_000, 1_100), 1_000, 'nobody had it');
	t.is(await claim(1_090, 1_190), 1_100, 'the next goes on where the one before ends');
	t.deepEqual(await Promise.all([claim(1_200, 1_300), claim(1_200, 1_300)]), [1_190, 1_300], 'a doubled job gets none');
	t.is(await claim(1_210, 1_250), 1_300, 'nor does one whose clock is behind');
	t.is(await claim(1_310, 1_400), 1_300, 'which takes nothing from the next');
	t.is(await claim(1_451, 1_500), 1_451, 'what is long over is left');
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

test('the state of an account is kept until its configuration changes', async t => {
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

test('values that another version stored are ignored', async t => {
	const url = await openRedis(t);
	const [redis, store] = [await connect(t, url), createPresenceStore(await connect(t, url))];
	await redis.hset('bothy:{presence}:accounts', {a: '{"v":2,"config":"x"}', b: 'rubbish'});

	t.deepEqual(await store.read(['a', 'b']), [undefined, undefined]);
});
