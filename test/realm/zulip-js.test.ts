// A client that we did not write works against the realm: everything that it can do.

import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import test, {type ExecutionContext} from 'ava';
// @ts-expect-error: it is published without types
import zulip from 'zulip-js';
import {openRealm, signIn} from './realm-kit.js';

async function clientOf(realm: Parameters<typeof signIn>[0], name: string) {
	const {email, key} = await signIn(realm, name);
	return zulip({username: email, apiKey: key, realm: realm.url});
}

async function openClient(t: ExecutionContext, name: string) {
	return clientOf(await openRealm(t), name);
}

const hello = {to: 'general', type: 'stream', subject: 'tests', content: 'Hi *there*'};

test('zulip-js signs in with a password', async t => {
	const realm = await openRealm(t);
	const client = await zulip({username: 'alice@bothy.example', password: 'bothy', realm: realm.url});

	t.is(client.config.apiKey, (await signIn(realm, 'alice')).key);
	t.is((await client.users.me.getProfile()).full_name, 'Alice Ahn');
});

test('zulip-js reads a zuliprc', async t => {
	const realm = await openRealm(t);
	const {email, key} = await signIn(realm, 'alice');
	const folder = await mkdtemp(join(tmpdir(), 'bothy-zuliprc-'));
	t.teardown(() => rm(folder, {recursive: true}));
	const file = join(folder, 'zuliprc');
	await writeFile(file, `[api]\nemail=${email}\nkey=${key}\nsite=${realm.url}\n`);

	const client = await zulip({zuliprc: file});

	t.is((await client.users.me.getProfile()).email, email);
});

test('zulip-js sends a message and finds it again', async t => {
	const client = await openClient(t, 'alice');

	const sent = await client.messages.send(hello);
	const {messages} = await client.messages.retrieve({
		anchor: sent.id,
		num_before: 0,
		num_after: 0,
		narrow: [{operator: 'stream', operand: 'general'}],
	});

	t.is(messages.length, 1);
	t.is(messages[0].content, '<p>Hi <em>there</em></p>');
	t.is((await client.messages.getById({message_id: sent.id})).raw_content, 'Hi *there*');
});

test('zulip-js sends a direct message', async t => {
	const client = await openClient(t, 'alice');

	const sent = await client.messages.send({to: 'bob@bothy.example', type: 'private', content: 'x'});

	const {message} = await client.messages.getById({message_id: sent.id});
	t.deepEqual(
		message.display_recipient.map((each: {id: number}) => each.id),
		[4, 5],
	);
});

test('zulip-js changes a message, reads its history and deletes it', async t => {
	const client = await openClient(t, 'olivia');
	const {id} = await client.messages.send(hello);

	t.is((await client.messages.update({message_id: id, content: 'Bye', topic: 'other'})).result, 'success');
	const {message} = await client.messages.getById({message_id: id});
	const {message_history: history} = await client.messages.getHistoryById({message_id: id});
	const deleted = await client.messages.deleteById({message_id: id});
	const gone = await client.messages.getById({message_id: id});

	t.is(message.content, '<p>Bye</p>');
	t.is(message.subject, 'other');
	t.deepEqual(
		history.map((each: {content: string}) => each.content),
		['Hi *there*', 'Bye'],
	);
	t.is(deleted.result, 'success');
	t.is(gone.msg, 'Invalid message(s)');
});

test('zulip-js reacts and takes it back, in both ways', async t => {
	const client = await openClient(t, 'alice');
	const {id} = await client.messages.send(hello);
	const reactions = async () => (await client.messages.getById({message_id: id})).message.reactions.length;

	t.is((await client.reactions.add({message_id: id, emoji_name: 'heart'})).result, 'success');
	t.is(await reactions(), 1);
	t.is((await client.reactions.remove({message_id: id, emoji_name: 'heart'})).result, 'success');
	t.is(await reactions(), 0);
	await client.reactions.add({message_id: id, emoji_name: 'heart', emoji_code: '2764', reaction_type: 'unicode_emoji'});
	t.is((await client.messages.deleteReactionById({message_id: id, emoji_name: 'heart'})).result, 'success');
	t.is(await reactions(), 0);
});

test('zulip-js opens a queue, hears a message and deletes the queue', async t => {
	const client = await openClient(t, 'alice');
	const {queue_id, last_event_id} = await client.queues.register({event_types: ['message']});
	const {id} = await client.messages.send(hello);

	const {events} = await client.events.retrieve({queue_id, last_event_id, dont_block: false});
	const removed = await client.queues.deregister({queue_id});
	const gone = await client.events.retrieve({queue_id, last_event_id});

	t.is(events[0].message.id, id);
	t.is(removed.result, 'success');
	t.is(gone.code, 'BAD_EVENT_QUEUE_ID');
});

test('zulip-js calls back on each event', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await clientOf(realm, 'alice'), await signIn(realm, 'bob')];
	// It asks for ever, so it has a process of its own.
	const script = `
		const [path, username, apiKey, realm] = process.argv.slice(1);
		require(path)({username, apiKey, realm}).then(client =>
			client.callOnEachEvent(event => console.log(JSON.stringify(event)), ['message']),
		);`;
	const path = createRequire(import.meta.url).resolve('zulip-js');
	const child = spawn(process.execPath, ['-e', script, path, bob.email, bob.key, realm.url], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	t.teardown(() => child.kill('SIGKILL'));
	const heard = once(createInterface(child.stdout), 'line');

	// What is said before it has a queue is not heard.
	let line: string | undefined;
	void heard.then(([text]) => {
		line = text;
	});
	while (line === undefined) {
		await alice.messages.send(hello);
		await Promise.race([heard, new Promise(resolve => setTimeout(resolve, 100))]);
	}

	t.is(JSON.parse(line).message.content, 'Hi *there*');
});

test('zulip-js reads the settings of the server', async t => {
	const settings = await (await openClient(t, 'alice')).server.settings();

	t.is(settings.realm_name, 'Bothy');
	t.is(settings.zulip_feature_level, 496);
});

test('zulip-js reads custom emoji', async t => {
	t.deepEqual((await (await openClient(t, 'alice')).emojis.retrieve()).emoji, {});
});

test('zulip-js reads channels, topics and subscriptions', async t => {
	const client = await openClient(t, 'alice');
	await client.messages.send(hello);

	const {streams} = await client.streams.retrieve({include_public: true});
	const {stream_id} = await client.streams.getStreamId('general');
	const byObject = await client.streams.getStreamId({stream: 'general'});
	const {topics} = await client.streams.topics.retrieve({stream_id});
	const {subscriptions} = await client.streams.subscriptions.retrieve();

	t.true(streams.some((stream: {name: string}) => stream.name === 'lunch'));
	t.is(byObject.stream_id, stream_id);
	t.is(topics[0].name, 'tests');
	t.true(subscriptions.some((stream: {name: string}) => stream.name === 'general'));
});

test('zulip-js says who types', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await clientOf(realm, 'alice'), await clientOf(realm, 'bob')];
	const {queue_id, last_event_id} = await bob.queues.register({event_types: ['typing']});

	t.is((await alice.typing.send({to: [5], op: 'start'})).result, 'success');
	t.is((await alice.typing.send({to: [5, 6], op: 'stop'})).result, 'success');
	const {events} = await bob.events.retrieve({queue_id, last_event_id});

	t.deepEqual(
		events.map((event: {op: string}) => event.op),
		['start', 'stop'],
	);
});

test('zulip-js reads users and itself', async t => {
	const client = await openClient(t, 'alice');

	const {members} = await client.users.retrieve({client_gravatar: true});

	t.true(members.some((user: {email: string}) => user.email === 'bob@bothy.example'));
	t.is((await client.users.me.getProfile()).email, 'alice@bothy.example');
});

test('zulip-js calls any endpoint', async t => {
	const client = await openClient(t, 'alice');

	const read = await client.callEndpoint('/users/me');
	const written = await client.callEndpoint('messages', 'POST', hello);

	t.is(read.full_name, 'Alice Ahn');
	t.is(written.result, 'success');
});

test('zulip-js is refused what servers have not done for long', async t => {
	const client = await openClient(t, 'alice');

	for (const answer of [
		await client.users.me.pointer.retrieve(),
		await client.users.me.pointer.update(1),
		await client.filters.retrieve(),
	]) {
		t.is(answer.result, 'error');
	}
});

test('zulip-js renders a text', async t => {
	const client = await openClient(t, 'alice');

	t.is((await client.messages.render('Hi *there*')).rendered, '<p>Hi <em>there</em></p>');
	t.is((await client.messages.render({content: '**x**'})).rendered, '<p><strong>x</strong></p>');
});

test('zulip-js stars a message, and no longer', async t => {
	const client = await openClient(t, 'alice');
	const {id} = await client.messages.send(hello);
	const flags = async () => (await client.messages.getById({message_id: id})).message.flags;

	t.deepEqual((await client.messages.flags.add({messages: [id], flag: 'starred'})).messages, [id]);
	t.true((await flags()).includes('starred'));
	t.deepEqual((await client.messages.flags.remove({messages: [id], flag: 'starred'})).messages, [id]);
	t.false((await flags()).includes('starred'));
});

test('zulip-js creates a user', async t => {
	const client = await openClient(t, 'olivia');

	const created = await client.users.create({email: 'new@bothy.example', password: 'x', full_name: 'Nora New'});

	t.is(created.result, 'success');
	const {members} = await client.users.retrieve();
	t.true(members.some((user: {email: string}) => user.email === 'new@bothy.example'));
});

test('zulip-js subscribes and unsubscribes', async t => {
	const client = await openClient(t, 'olivia');

	const added = await client.users.me.subscriptions.add({subscriptions: JSON.stringify([{name: 'lunch'}])});
	const removed = await client.users.me.subscriptions.remove({subscriptions: JSON.stringify(['lunch'])});

	t.deepEqual(Object.values(added.subscribed), [['lunch']]);
	t.deepEqual(removed.removed, ['lunch']);
});

test('zulip-js archives a channel', async t => {
	const client = await openClient(t, 'olivia');
	const {stream_id} = await client.streams.getStreamId('lunch');

	t.is((await client.streams.deleteById({stream_id})).result, 'success');

	const {streams} = await client.streams.retrieve();
	t.false(streams.some((stream: {name: string}) => stream.name === 'lunch'));
});

test('zulip-js reads alert words', async t => {
	const client = await openClient(t, 'alice');
	await client.callEndpoint('/users/me/alert_words', 'POST', {alert_words: ['soup']});

	t.deepEqual((await client.users.me.alertWords.retrieve()).alert_words, ['soup']);
});
