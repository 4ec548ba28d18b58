// A client that we did not write works against the realm: everything that it can do.

import {writeFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {Worker} from 'node:worker_threads';
import test from 'ava';
// @ts-expect-error: it is published without types
import zulip from 'zulip-js';
import type {LogLine} from '../../src/realm/index.js';
import {type Caller, databaseFile, openChat} from '../realm/realm-kit.js';

const hello = {to: 'general', type: 'stream', subject: 'tests', content: 'Hi *there*'};

/** The same people, with that client. */
async function openClients(t: Parameters<typeof openChat>[0]) {
	const {realm, alice, bob, olivia} = await openChat(t);
	const clientOf = ({email, key}: Caller) => zulip({username: email, apiKey: key, realm: realm.url});
	return {realm, alice: await clientOf(alice), bob: await clientOf(bob), olivia: await clientOf(olivia)};
}

const names = (list: Array<{name: string}>) => list.map(({name}) => name);

test('zulip-js signs in with a password', async t => {
	const {realm, alice} = await openChat(t);
	const client = await zulip({username: 'alice@bothy.example', password: 'bothy', realm: realm.url});

	t.is(client.config.apiKey, alice.key);
	t.is((await client.accounts.retrieve()).api_key, alice.key);
	t.is((await client.users.me.getProfile()).full_name, 'Alice Ahn');
});

test('zulip-js reads a zuliprc', async t => {
	const {realm, alice} = await openChat(t);
	const file = await databaseFile(t);
	await writeFile(file, `[api]\nemail=${alice.email}\nkey=${alice.key}\nsite=${realm.url}\n`);

	const client = await zulip({zuliprc: file});

	t.is((await client.users.me.getProfile()).email, alice.email);
});

test('zulip-js sends messages and finds them again', async t => {
	const {alice} = await openClients(t);

	const {id} = await alice.messages.send(hello);
	const direct = await alice.messages.send({to: 'bob@bothy.example', type: 'private', content: 'x'});

	const narrow = [{operator: 'stream', operand: 'general'}];
	const {messages} = await alice.messages.retrieve({anchor: id, num_before: 0, num_after: 0, narrow});
	t.deepEqual(
		messages.map(({content}: {content: string}) => content),
		['<p>Hi <em>there</em></p>'],
	);
	t.is((await alice.messages.getById({message_id: id})).raw_content, 'Hi *there*');
	const {message} = await alice.messages.getById({message_id: direct.id});
	t.deepEqual(
		message.display_recipient.map((each: {id: number}) => each.id),
		[4, 5],
	);
});

test('zulip-js changes a message, reads its history and deletes it', async t => {
	const {olivia} = await openClients(t);
	const {id} = await olivia.messages.send(hello);

	t.is((await olivia.messages.update({message_id: id, content: 'Bye', topic: 'other'})).result, 'success');
	const {message} = await olivia.messages.getById({message_id: id});
	const {message_history: history} = await olivia.messages.getHistoryById({message_id: id});
	const deleted = await olivia.messages.deleteById({message_id: id});
	const gone = await olivia.messages.getById({message_id: id});

	t.is(message.content, '<p>Bye</p>');
	t.is(message.subject, 'other');
	t.deepEqual(
		history.map((each: {content: string}) => each.content),
		['Hi *there*', 'Bye'],
	);
	t.is(deleted.result, 'success');
	t.is(gone.msg, 'Invalid message(s)');
});

test('zulip-js adds and removes reactions, in both ways', async t => {
	const {alice} = await openClients(t);
	const {id: message_id} = await alice.messages.send(hello);
	const reactions = async () => (await alice.messages.getById({message_id})).message.reactions.length;
	const heart = {message_id, emoji_name: 'heart'};

	t.is((await alice.reactions.add(heart)).result, 'success');
	t.is(await reactions(), 1);
	t.is((await alice.reactions.remove(heart)).result, 'success');
	t.is(await reactions(), 0);
	await alice.reactions.add({...heart, emoji_code: '2764', reaction_type: 'unicode_emoji'});
	t.is((await alice.messages.deleteReactionById(heart)).result, 'success');
	t.is(await reactions(), 0);
});

test('zulip-js opens a queue, hears a message and deletes the queue', async t => {
	const {alice} = await openClients(t);
	const {queue_id, last_event_id} = await alice.queues.register({event_types: ['message']});
	const {id} = await alice.messages.send(hello);

	const {events} = await alice.events.retrieve({queue_id, last_event_id, dont_block: false});
	const removed = await alice.queues.deregister({queue_id});
	const gone = await alice.events.retrieve({queue_id, last_event_id});

	t.is(events[0].message.id, id);
	t.is(removed.result, 'success');
	t.is(gone.code, 'BAD_EVENT_QUEUE_ID');
});

test('zulip-js calls back on each event', async t => {
	// What is said before it has a queue is not heard.
	const {promise: hasQueue, resolve} = withResolvers();
	const log = ({operation}: LogLine) => operation === 'register' && resolve();
	const {realm, alice, bob} = await openChat(t, {log});
	// It polls without end, so it has a thread of its own.
	const script = `
		const {parentPort, workerData: {path, ...config}} = require('node:worker_threads');
		require(path)(config).then(client =>
			client.callOnEachEvent(event => parentPort.postMessage(event), ['message']),
		);`;
	const path = createRequire(import.meta.url).resolve('zulip-js');
	const workerData = {path, username: bob.email, apiKey: bob.key, realm: realm.url};
	const worker = new Worker(script, {eval: true, workerData});
	t.teardown(() => worker.terminate());
	const heard = new Promise<{message: {content: string}}>((hear, fail) =>
		worker.once('message', hear).once('error', fail),
	);

	await hasQueue;
	await alice.say({channel: 'general'}, hello.content);

	t.is((await heard).message.content, 'Hi *there*');
});

function withResolvers() {
	let resolve = () => {};
	const promise = new Promise<void>(done => {
		resolve = done;
	});
	return {promise, resolve};
}

test('zulip-js reads the settings of the server, custom emoji, users and itself', async t => {
	const {alice} = await openClients(t);

	const settings = await alice.server.settings();
	const {members} = await alice.users.retrieve({client_gravatar: true});

	t.is(settings.realm_name, 'Bothy');
	t.is(settings.zulip_feature_level, 496);
	t.deepEqual((await alice.emojis.retrieve()).emoji, {});
	t.true(members.some((user: {email: string}) => user.email === 'bob@bothy.example'));
	t.is((await alice.users.me.getProfile()).email, 'alice@bothy.example');
});

test('zulip-js reads channels, topics and subscriptions', async t => {
	const {alice} = await openClients(t);
	await alice.messages.send(hello);

	const {streams} = await alice.streams.retrieve({include_public: true});
	const {stream_id} = await alice.streams.getStreamId('general');
	const byObject = await alice.streams.getStreamId({stream: 'general'});
	const {topics} = await alice.streams.topics.retrieve({stream_id});
	const {subscriptions} = await alice.streams.subscriptions.retrieve();

	t.true(names(streams).includes('lunch'));
	t.is(byObject.stream_id, stream_id);
	t.is(topics[0].name, 'tests');
	t.true(names(subscriptions).includes('general'));
});

test('zulip-js sends typing notifications', async t => {
	const {alice, bob} = await openClients(t);
	const {queue_id, last_event_id} = await bob.queues.register({event_types: ['typing']});

	t.is((await alice.typing.send({to: [5], op: 'start'})).result, 'success');
	t.is((await alice.typing.send({to: [5, 6], op: 'stop'})).result, 'success');
	const {events} = await bob.events.retrieve({queue_id, last_event_id});

	t.deepEqual(
		events.map((event: {op: string}) => event.op),
		['start', 'stop'],
	);
});

test('zulip-js calls any endpoint', async t => {
	const {alice} = await openClients(t);

	t.is((await alice.callEndpoint('/users/me')).full_name, 'Alice Ahn');
	t.is((await alice.callEndpoint('messages', 'POST', hello)).result, 'success');
});

test('zulip-js is refused calls that servers no longer support', async t => {
	const {alice} = await openClients(t);

	for (const answer of [
		await alice.users.me.pointer.retrieve(),
		await alice.users.me.pointer.update(1),
		await alice.filters.retrieve(),
	]) {
		t.is(answer.result, 'error');
	}
});

test('zulip-js renders a text', async t => {
	const {alice} = await openClients(t);

	t.is((await alice.messages.render('Hi *there*')).rendered, '<p>Hi <em>there</em></p>');
	t.is((await alice.messages.render({content: '**x**'})).rendered, '<p><strong>x</strong></p>');
});

test('zulip-js stars and unstars a message', async t => {
	const {alice} = await openClients(t);
	const {id} = await alice.messages.send(hello);
	const isStarred = async () => (await alice.messages.getById({message_id: id})).message.flags.includes('starred');

	t.deepEqual((await alice.messages.flags.add({messages: [id], flag: 'starred'})).messages, [id]);
	t.true(await isStarred());
	t.deepEqual((await alice.messages.flags.remove({messages: [id], flag: 'starred'})).messages, [id]);
	t.false(await isStarred());
});

test('zulip-js creates a user, subscribes, unsubscribes and archives a channel', async t => {
	const {olivia} = await openClients(t);

	const created = await olivia.users.create({email: 'new@bothy.example', password: 'x', full_name: 'Nora New'});
	const added = await olivia.users.me.subscriptions.add({subscriptions: JSON.stringify([{name: 'lunch'}])});
	const removed = await olivia.users.me.subscriptions.remove({subscriptions: JSON.stringify(['lunch'])});
	const {stream_id} = await olivia.streams.getStreamId('lunch');
	const archived = await olivia.streams.deleteById({stream_id});

	t.is(created.result, 'success');
	const {members} = await olivia.users.retrieve();
	t.true(members.some((user: {email: string}) => user.email === 'new@bothy.example'));
	t.deepEqual(Object.values(added.subscribed), [['lunch']]);
	t.deepEqual(removed.removed, ['lunch']);
	t.is(archived.result, 'success');
	t.false(names((await olivia.streams.retrieve()).streams).includes('lunch'));
});

test('zulip-js reads alert words', async t => {
	const {alice} = await openClients(t);
	await alice.callEndpoint('/users/me/alert_words', 'POST', {alert_words: ['soup']});

	t.deepEqual((await alice.users.me.alertWords.retrieve()).alert_words, ['soup']);
});
