// What the demo organization offers to try, beyond its first people and channels.

import test from 'ava';
import {type Caller, openRealm, signIn} from './realm-kit.js';

const topicsOf = async (caller: Caller, values: object = {}) => {
	const {body} = await caller.get('/users/me/6/topics', {...values});
	return body.topics.map(({name}: {name: string}) => name);
};

test('in the plaza more than 15 people listen, and not everybody may call them all', async t => {
	const realm = await openRealm(t);
	const [alice, olivia] = [await signIn(realm, 'alice'), await signIn(realm, 'olivia')];
	const call = (caller: Caller, content: string) =>
		caller.post('/messages', {type: 'channel', to: 'plaza', topic: 'band', content});

	const {body} = await alice.get('/streams/6/members');

	t.is(body.subscribers.length, 16);
	t.is((await call(alice, '@**all** hello')).body.code, 'STREAM_WILDCARD_MENTION_NOT_ALLOWED');
	t.is((await call(alice, '@**topic** hello')).body.result, 'success');
	t.is((await call(olivia, '@**all** hello')).body.result, 'success');
});

test('the plaza has history with an empty topic, and people who follow or mute topics in it', async t => {
	const realm = await openRealm(t);
	const [alice, mona] = [await signIn(realm, 'alice'), await signIn(realm, 'mona')];

	const {body} = await mona.post('/register', {event_types: ['user_topic']});

	t.deepEqual(await topicsOf(alice, {allow_empty_topic_name: true}), ['band', '']);
	t.deepEqual(await topicsOf(alice), ['band', 'general chat']);
	t.deepEqual(
		body.user_topics
			.map((row: Record<string, unknown>) => [row.stream_id, row.topic_name, row.visibility_policy])
			.filter(([channel]: [number]) => channel === 6),
		[
			[6, 'general chat', 3],
			[6, 'band', 1],
		],
	);
});
