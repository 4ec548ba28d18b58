// What a sender's own event queue learns of the messages that it sends: one event with the local ID, or none.

import test, {type ExecutionContext} from 'ava';
import {type Caller, callAsBot, openRealm, signIn} from './realm-kit.js';

interface ReceiptQueue {
	readonly id: string;
	/** All that happened so far. */
	// biome-ignore lint/suspicious/noExplicitAny: events have every shape
	events(): Promise<any[]>;
}

/** A queue as the sends worker keeps it. */
async function openReceipts(caller: Caller, values: object = {all_public_streams: true}): Promise<ReceiptQueue> {
	const {body} = await caller.post('/register', {
		event_types: ['message'],
		narrow: [['sender', caller.email]],
		...values,
	});

	return {
		id: body.queue_id,
		async events() {
			const answer = await caller.get('/events', {queue_id: body.queue_id, last_event_id: -1, dont_block: true});
			return answer.body.events;
		},
	};
}

async function openWithBot(t: ExecutionContext) {
	const realm = await openRealm(t);
	const bot = callAsBot(realm, realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:1/'}));
	return {realm, bot, alice: await signIn(realm, 'alice')};
}

interface Sending {
	/** Whose queue; the bot's unless said otherwise. */
	readonly as?: string;
	readonly message: Readonly<Record<string, unknown>>;
	readonly queue?: object;
}

const receipt = test.macro({
	title: (title = '') => `one receipt comes for ${title}, and to no other queue`,
	async exec(t, {as, message, queue}: Sending) {
		const {realm, bot, alice} = await openWithBot(t);
		const sender = as === undefined ? bot : await signIn(realm, as);
		const receipts = await openReceipts(sender, queue);
		const others = [await openReceipts(sender, queue), await openReceipts(sender, {}), await openReceipts(alice)];

		const {body} = await sender.post('/messages', {content: 'x', ...message, queue_id: receipts.id, local_id: 'a.1'});

		const events = await receipts.events();
		t.is(events.length, 1);
		t.like(events[0], {type: 'message', local_message_id: 'a.1', message: {id: body.id}});
		for (const other of others) {
			t.false(JSON.stringify(await other.events()).includes('local_message_id'));
		}
	},
});

test('a channel that its sender is subscribed to', receipt, {
	as: 'bob',
	message: {type: 'channel', to: 'lunch', topic: 'x'},
	queue: {},
});
test('a public channel without subscription', receipt, {message: {type: 'channel', to: 'lunch', topic: 'x'}});
test('a channel with the whole web as its public', receipt, {
	as: 'mona',
	message: {type: 'channel', to: 'announcements', topic: 'x'},
});
test('a private channel that its sender is subscribed to', receipt, {
	as: 'olivia',
	message: {type: 'channel', to: 'staff', topic: 'x'},
});
test('a direct message', receipt, {message: {type: 'direct', to: ['alice@bothy.example']}});
test('a direct message to several', receipt, {
	message: {type: 'direct', to: ['alice@bothy.example', 'bob@bothy.example']},
});
test('a message to oneself', receipt, {message: {type: 'direct', to: ['echo-bot@bothy.example']}});
test('a guest, who may not hear all channels', receipt, {
	as: 'gus',
	message: {type: 'channel', to: 'general', topic: 'x'},
	queue: {},
});
test('a message that mentions its own sender', receipt, {
	message: {type: 'channel', to: 'lunch', topic: 'x', content: '@**Echo**'},
});

for (const [name, queue, channel] of [
	// The owner's subscription allows the bot to post, but does not make it a receiver.
	["a private channel that only the bot's owner is subscribed to", {all_public_streams: true}, 'staff'],
	['a public channel without subscription, by a queue without all_public_streams', {}, 'lunch'],
] as const) {
	test(`no receipt comes for ${name}`, async t => {
		const {bot} = await openWithBot(t);
		const receipts = await openReceipts(bot, queue);

		const {body} = await bot.post('/messages', {
			type: 'channel',
			to: channel,
			topic: 'x',
			content: 'x',
			queue_id: receipts.id,
			local_id: '1',
		});
		const direct = await bot.say({dm: [bot.email]}, 'later');

		t.is(body.result, 'success');
		t.deepEqual(
			(await receipts.events()).map(({message}) => message.id),
			[direct],
		);
	});
}

test('a queue of somebody else gives nobody a local ID', async t => {
	const {bot, alice} = await openWithBot(t);
	const foreign = await openReceipts(alice, {});
	const own = await openReceipts(bot, {});

	await bot.post('/messages', {
		type: 'direct',
		to: [alice.email],
		content: 'x',
		queue_id: foreign.id,
		local_id: '1',
	});

	const events = [...(await own.events()), ...(await foreign.events())];
	t.is(events.length, 1);
	t.false('local_message_id' in events[0]);
});

test('a message with a local ID but no queue, or an unknown one, is sent all the same', async t => {
	const {bot} = await openWithBot(t);
	const receipts = await openReceipts(bot, {});
	const to = {type: 'direct', to: [bot.email], content: 'x'};

	const without = await bot.post('/messages', {...to, local_id: '1'});
	const unknown = await bot.post('/messages', {...to, local_id: '1', queue_id: 'gone'});

	t.deepEqual([without.body.result, unknown.body.result], ['success', 'success']);
	const events = await receipts.events();
	t.is(events.length, 2);
	t.false(JSON.stringify(events).includes('local_message_id'));
});

test('a receipt does not repeat what an edit says later', async t => {
	const {bot} = await openWithBot(t);
	const receipts = await openReceipts(bot, {});
	const {body} = await bot.post('/messages', {
		type: 'direct',
		to: [bot.email],
		content: 'x',
		queue_id: receipts.id,
		local_id: '1',
	});

	await bot.patch(`/messages/${body.id}`, {content: 'y'});

	t.is((await receipts.events()).length, 1);
});
