// What people think of a topic when its messages move.

import test from 'ava';
import {queueOf} from './event-kit.js';
import {at, type Caller, expectSuccess, type Json, openRealm, signIn} from './raw-request.js';
import {userTopics} from './user-topics-kit.js';

const [GENERAL, LUNCH, STAFF] = [1, 2, 4];
const [MUTED, UNMUTED, FOLLOWED] = [1, 2, 3];

const think = (caller: Caller, topic: string, policy: number, channel = LUNCH) =>
	caller.post('/api/v1/user_topics', `stream_id=${channel}&topic=${topic}&visibility_policy=${policy}`);

async function say(caller: Caller, topic: string): Promise<Json> {
	const {json} = await caller.post('/api/v1/messages', `type=channel&to=lunch&topic=${topic}&content=x`);
	return at(json, 'id');
}

const move = (caller: Caller, id: Json, form: string) =>
	caller.patch(`/api/v1/messages/${id}`, `send_notification_to_new_thread=false&${form}`);

/** Channel, topic and policy of each that somebody thinks something of. */
async function thoughts(caller: Caller): Promise<Json[]> {
	const rows = await userTopics(caller);
	return (Array.isArray(rows) ? rows : [])
		.map(row => [at(row, 'stream_id'), at(row, 'topic_name'), at(row, 'visibility_policy')])
		.sort((one, other) => String(one).localeCompare(String(other)));
}

test('a topic that moves whole takes along what people think of it, and they hear so', async t => {
	const realm = await openRealm(t);
	const [alice, bob, carla] = [
		await signIn(t, 'alice', realm),
		await signIn(t, 'bob', realm),
		await signIn(t, 'carla', realm),
	];
	const first = await say(alice, 'soup');
	await say(alice, 'soup');
	await think(bob, 'soup', MUTED);
	await think(carla, 'soup', UNMUTED);
	const events = await queueOf(bob, 'user_topic');

	expectSuccess(t, await move(alice, first, 'topic=stew&propagate_mode=change_all'));

	t.deepEqual(await thoughts(alice), [[LUNCH, 'stew', FOLLOWED]]);
	t.deepEqual(await thoughts(bob), [[LUNCH, 'stew', MUTED]]);
	t.deepEqual(await thoughts(carla), [[LUNCH, 'stew', UNMUTED]]);
	t.deepEqual(
		(await events()).map(event => [at(event, 'topic_name'), at(event, 'visibility_policy')]),
		[
			['soup', 0],
			['stew', MUTED],
		],
	);
});

test('a part that moves leaves what people think where it was', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	await say(alice, 'soup');
	const second = await say(alice, 'soup');
	await think(bob, 'soup', MUTED);

	expectSuccess(t, await move(alice, second, 'topic=stew&propagate_mode=change_one'));

	t.deepEqual(await thoughts(bob), [[LUNCH, 'soup', MUTED]]);
});

test('a topic that only changes its case keeps what people think', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const id = await say(alice, 'soup');
	await think(bob, 'soup', MUTED);

	expectSuccess(t, await move(alice, id, 'topic=SOUP&propagate_mode=change_all'));

	t.deepEqual(await thoughts(bob), [[LUNCH, 'soup', MUTED]]);
});

for (const [from, to, merged] of [
	[FOLLOWED, MUTED, FOLLOWED],
	[MUTED, FOLLOWED, FOLLOWED],
	[UNMUTED, 0, UNMUTED],
	[0, UNMUTED, UNMUTED],
	[MUTED, 0, 0],
	[0, MUTED, 0],
	[MUTED, MUTED, MUTED],
] as const) {
	test(`a topic of policy ${from} that moves into one of policy ${to} makes policy ${merged}`, async t => {
		const realm = await openRealm(t);
		const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
		const id = await say(alice, 'soup');
		await say(alice, 'stew');
		await think(bob, 'soup', from);
		await think(bob, 'stew', to);

		expectSuccess(t, await move(alice, id, 'topic=stew&propagate_mode=change_all'));

		t.deepEqual(await thoughts(bob), merged === 0 ? [] : [[LUNCH, 'stew', merged]]);
	});
}

test('into another channel it goes along with those who may read there, and is lost for others', async t => {
	const realm = await openRealm(t);
	const [mona, bob] = [await signIn(t, 'mona', realm), await signIn(t, 'bob', realm)];
	const id = await say(mona, 'soup');
	await think(mona, 'soup', MUTED);
	await think(bob, 'soup', FOLLOWED);

	expectSuccess(t, await move(mona, id, `stream_id=${STAFF}&propagate_mode=change_all`));

	t.true((await thoughts(mona)).some(row => String(row) === String([STAFF, 'soup', MUTED])));
	t.deepEqual(await thoughts(bob), []);
});

test('a topic that moves to another public channel is followed there', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const id = await say(alice, 'soup');
	await think(bob, 'soup', FOLLOWED);

	expectSuccess(t, await move(alice, id, `stream_id=${GENERAL}&propagate_mode=change_all`));

	t.deepEqual(await thoughts(bob), [[GENERAL, 'soup', FOLLOWED]]);
});
