// What event queues hear beyond what test/wire shows of them.

import test, {type ExecutionContext} from 'ava';
import {type Caller, callAsBot, listen, openChat, signIn} from './realm-kit.js';

test('a queue with a narrow gets the messages that match it', async t => {
	const {alice, bob, carla} = await openChat(t);
	const heard = [
		[[['sender', 'bob@bothy.example']], 'from Bob'],
		[[['is', 'dm']], 'direct'],
		[[['dm', 'carla@bothy.example']], 'direct'],
		[[['channel', 'general']], 'in general'],
		[
			[
				['stream', 'LUNCH'],
				['topic', 'Soup'],
			],
			'in soup',
		],
		[[['is', 'mentioned']], '@**Alice Ahn**'],
		[[['channel', '1']]],
		[[['sender', '5']]],
		[[['topic', 'BREAD']], 'from Bob', '@**Alice Ahn**'],
		[
			[
				['is', 'unknown'],
				['channel', 'general'],
			],
			'in general',
		],
		[[['is', 'private']], 'direct'],
		[[['is', 'resolved']], 'answered'],
	] as const;
	const queues = await Promise.all(heard.map(([narrow]) => listen(alice, {event_types: ['message'], narrow})));

	await carla.say({channel: 'lunch', topic: 'soup'}, 'in soup');
	await carla.say({dm: [4]}, 'direct');
	await carla.say({channel: 'general'}, 'in general');
	await carla.say({channel: 'lunch', topic: '✔ bread'}, 'answered');
	await bob.say({channel: 'lunch', topic: 'bread'}, 'from Bob');
	await carla.say({channel: 'lunch', topic: 'bread'}, '@**Alice Ahn**');

	for (const [index, [narrow, ...contents]] of heard.entries()) {
		const events = (await queues[index]?.events()) ?? [];
		t.deepEqual(
			events.map(({message}) => message.content),
			contents,
			JSON.stringify(narrow),
		);
	}
});

test('a queue gets nothing from private channels without subscription', async t => {
	const {realm, alice, olivia} = await openChat(t);
	const bot = callAsBot(realm);
	const curious = await listen(bot, {event_types: ['message'], all_public_streams: true});

	await olivia.say({channel: 'staff'}, 'secret');
	await alice.say({channel: 'lunch'}, 'public');

	t.deepEqual(
		(await curious.events()).map(({message}) => message.content),
		['public'],
	);
});

test('closing the realm ends polls', async t => {
	const {realm, alice} = await openChat(t);
	const {queueId} = await listen(alice);
	const poll = alice.get('/events', {queue_id: queueId, last_event_id: -1});
	await alice.get('/users/me');

	await realm.close();

	t.deepEqual((await poll).body.events, []);
});

test('register gives the state of the types asked for, as far as a guest may see it', async t => {
	const {gus} = await openChat(t);

	const {state} = await listen(gus, {
		fetch_event_types: ['realm', 'realm_user', 'subscription', 'streams'],
		include_subscribers: true,
	});

	const names = (channels: Array<{name: string}>) => channels.map(({name}) => name);
	t.is(state.realm_users.length, 19);
	t.deepEqual(names(state.subscriptions), ['announcements', 'general']);
	t.true(state.subscriptions[1].subscribers.includes(7));
	t.deepEqual(names(state.streams), ['announcements', 'general']);
});

test('a new bot is announced', async t => {
	const {realm, alice} = await openChat(t);
	const queue = await listen(alice, {event_types: ['realm_user']});

	callAsBot(realm);

	const [{op, person}] = await queue.events();
	t.like({op, ...person}, {op: 'add', user_id: 21, bot_type: 3});
});

/** A queue as the sends worker keeps it. */
const openReceipts = (caller: Caller, values: object = {all_public_streams: true}) =>
	listen(caller, {event_types: ['message'], narrow: [['sender', caller.email]], ...values});

async function openWithBot(t: ExecutionContext) {
	const {realm, alice} = await openChat(t);
	return {realm, alice, bot: callAsBot(realm)};
}

const LUNCH = {type: 'channel', to: 'lunch', topic: 'x', content: 'x'};

for (const {what, as, message, queue} of [
	{what: 'a channel that its sender is subscribed to', as: 'bob', message: LUNCH, queue: {}},
	{what: 'a public channel without subscription', message: LUNCH},
	{what: 'a channel with the whole web as its public', as: 'mona', message: {...LUNCH, to: 'announcements'}},
	{what: 'a private channel that its sender is subscribed to', as: 'olivia', message: {...LUNCH, to: 'staff'}},
	{what: 'a direct message', message: {type: 'direct', to: ['alice@bothy.example'], content: 'x'}},
	{
		what: 'a direct message to several',
		message: {type: 'direct', to: ['alice@bothy.example', 'bob@bothy.example'], content: 'x'},
	},
	{what: 'a message to oneself', message: {type: 'direct', to: ['echo-bot@bothy.example'], content: 'x'}},
	{what: 'a guest, who may not hear all channels', as: 'gus', message: {...LUNCH, to: 'general'}, queue: {}},
	{what: 'a message that mentions its own sender', message: {...LUNCH, content: '@**Echo**'}},
]) {
	test(`one receipt comes for ${what}, and to no other queue`, async t => {
		const {realm, bot, alice} = await openWithBot(t);
		const sender = as === undefined ? bot : signIn(realm, as);
		const receipts = await openReceipts(sender, queue);
		const others = [await openReceipts(sender, queue), await openReceipts(sender, {}), await openReceipts(alice)];

		const {body} = await sender.post('/messages', {...message, queue_id: receipts.queueId, local_id: 'a.1'});

		const events = await receipts.events();
		t.is(events.length, 1);
		t.like(events[0], {type: 'message', local_message_id: 'a.1', message: {id: body.id}});
		for (const other of others) {
			t.false(JSON.stringify(await other.events()).includes('local_message_id'));
		}
	});
}

for (const [name, queue, channel] of [
	// The owner's subscription allows the bot to post, but does not make it a receiver.
	["a private channel that only the bot's owner is subscribed to", {all_public_streams: true}, 'staff'],
	['a public channel without subscription, by a queue without all_public_streams', {}, 'lunch'],
] as const) {
	test(`no receipt comes for ${name}`, async t => {
		const {bot} = await openWithBot(t);
		const receipts = await openReceipts(bot, queue);

		const sent = {...LUNCH, to: channel, queue_id: receipts.queueId, local_id: '1'};
		t.is((await bot.post('/messages', sent)).body.result, 'success');
		const direct = await bot.say({dm: [bot.email]}, 'later');

		t.deepEqual(
			(await receipts.events()).map(({message}) => message.id),
			[direct],
		);
	});
}

test('no local ID comes back through a queue of somebody else, an unknown one or none', async t => {
	const {bot, alice} = await openWithBot(t);
	const [foreign, own] = [await openReceipts(alice, {}), await openReceipts(bot, {})];
	const to = {type: 'direct', to: [bot.email, alice.email], content: 'x', local_id: '1'};

	for (const values of [{queue_id: foreign.queueId}, {queue_id: 'gone'}, {}]) {
		t.is((await bot.post('/messages', {...to, ...values})).body.result, 'success');
	}

	const events = [...(await own.events()), ...(await foreign.events())];
	t.is(events.length, 3);
	t.false(JSON.stringify(events).includes('local_message_id'));
});

test('a receipt does not repeat what an edit says later', async t => {
	const {bot} = await openWithBot(t);
	const receipts = await openReceipts(bot, {});
	const message = {type: 'direct', to: [bot.email], content: 'x', queue_id: receipts.queueId, local_id: '1'};
	const {body} = await bot.post('/messages', message);

	await bot.patch(`/messages/${body.id}`, {content: 'y'});

	t.is((await receipts.events()).length, 1);
});
