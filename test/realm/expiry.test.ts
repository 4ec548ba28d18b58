// Messages of channels that keep them for some days only.

import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test from 'ava';
import {type Caller, cause, openRealm, signIn} from './realm-kit.js';

const HOUR_MS = 3_600_000;
const NOON = Date.UTC(2026, 2, 1, 12);
const [LUNCH, PLAZA] = [2, 6];

async function keepDays(owner: Caller, channel: number, days: number | 'unlimited'): Promise<void> {
	const {body} = await owner.patch(`/streams/${channel}`, {message_retention_days: JSON.stringify(days)});
	if (body.result !== 'success') {
		throw new Error(body.msg);
	}
}

async function texts(caller: Caller, channel: string): Promise<string[]> {
	const narrow = [['channel', channel]];
	const {body} = await caller.get('/messages', {anchor: 'newest', num_before: 9, apply_markdown: false, narrow});
	return body.messages.map(({content}: {content: string}) => content);
}

test('a message goes the night after its days are over, its readers hear of it, and other channels keep theirs', async t => {
	const realm = await openRealm(t, {now: NOON});
	const [olivia, alice] = [await signIn(realm, 'olivia'), await signIn(realm, 'alice')];
	await keepDays(olivia, LUNCH, 2);
	const id = await alice.say({channel: 'lunch', topic: 'soup'}, 'old');
	await alice.say({channel: 'general'}, 'kept');
	const {body: queue} = await alice.post('/register', {event_types: ['delete_message'], queue_lifespan_secs: 604_800});

	await cause(realm, '/clock', {advance_ms: 36 * HOUR_MS});
	await alice.say({channel: 'lunch', topic: 'soup'}, 'young');
	t.deepEqual(await texts(alice, 'lunch'), ['old', 'young']);
	await cause(realm, '/clock', {advance_ms: 24 * HOUR_MS});

	t.deepEqual(await texts(alice, 'lunch'), ['young']);
	t.true((await texts(alice, 'general')).includes('kept'));
	const {body} = await alice.get('/events', {queue_id: queue.queue_id, last_event_id: -1, dont_block: true});
	t.deepEqual(
		body.events.map(({id: _, ...event}: {id: number}) => event),
		[{type: 'delete_message', message_type: 'stream', stream_id: LUNCH, topic: 'soup', message_id: id}],
	);
});

test('a channel that came to keep its messages for ever keeps them', async t => {
	const realm = await openRealm(t, {now: NOON});
	const [olivia, alice] = [await signIn(realm, 'olivia'), await signIn(realm, 'alice')];
	await keepDays(olivia, LUNCH, 2);
	await keepDays(olivia, PLAZA, 400);
	await alice.say({channel: 'lunch'}, 'kept');

	await keepDays(olivia, LUNCH, 'unlimited');
	await cause(realm, '/clock', {advance_ms: 200 * 24 * HOUR_MS});

	t.deepEqual(await texts(alice, 'lunch'), ['kept']);
	t.is((await texts(alice, 'plaza')).length, 3);
});

test('what is over while no realm is there goes when the next one starts', async t => {
	const folder = await mkdtemp(join(tmpdir(), 'realm-'));
	t.teardown(() => rm(folder, {recursive: true}));
	const file = join(folder, 'realm.db');
	const first = await openRealm(t, {file, now: NOON});
	await keepDays(await signIn(first, 'olivia'), LUNCH, 2);
	await (await signIn(first, 'alice')).say({channel: 'lunch'}, 'old');
	await first.close();

	const next = await openRealm(t, {file, now: NOON + 49 * HOUR_MS});

	t.deepEqual(await texts(await signIn(next, 'alice'), 'lunch'), []);
});
