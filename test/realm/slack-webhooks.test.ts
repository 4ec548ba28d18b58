import test, {type ExecutionContext} from 'ava';
import {type Delivery, listen, openRealm, reply, signIn, startReceiver} from './realm-kit.js';

/** Alice's bot, whose webhooks look like Slack's. */
async function openScene(t: ExecutionContext, answer: (delivery: Delivery) => void) {
	const realm = await openRealm(t, {version: '12.0'});
	const receiver = await startReceiver(t, answer);
	const alice = await signIn(realm, 'alice');
	const {body: bot} = await alice.post('/bots', {
		full_name: 'Tea',
		short_name: 'tea',
		bot_type: 3,
		payload_url: JSON.stringify(receiver.url),
		interface_type: 2,
	});
	const queue = await listen(alice);
	return {
		realm,
		receiver,
		alice,
		userId: bot.user_id as number,
		hear: async () => (await queue.next(event => event.message?.sender_id === bot.user_id)).message,
	};
}

test("a mention is posted as Slack's form, and `text` is the answer", async t => {
	const {realm, receiver, alice, userId, hear} = await openScene(t, reply({text: 'hot', content: 'cold'}));

	const id = await alice.say({channel: 'general', topic: 'tea'}, '@**Tea** please');

	t.like(await hear(), {content: 'hot', subject: 'tea'});
	const {headers, text} = await receiver.delivery(1);
	t.is(headers['content-type'], 'application/x-www-form-urlencoded');
	t.is(headers['user-agent'], 'ZulipOutgoingWebhook/12.0');
	const {body} = await alice.get(`/messages/${id}`);
	const {token, ...form} = Object.fromEntries(new URLSearchParams(text));
	t.regex(String(token), /^[A-Za-z0-9]{32}$/);
	t.deepEqual(form, {
		team_id: 'T1',
		team_domain: new URL(realm.url).host,
		channel_id: 'C1',
		channel_name: 'general',
		thread_ts: String(body.message.timestamp),
		timestamp: String(body.message.timestamp),
		user_id: 'U4',
		user_name: 'Alice Ahn',
		text: '@**Tea** please',
		trigger_word: 'mention',
		service_id: String(userId),
	});
});

test("a direct message does not fit Slack's format: nothing is posted, and the bot says so", async t => {
	const {receiver, alice, userId, hear} = await openScene(t, reply({text: 'hot'}));

	await alice.say({dm: [userId]}, 'please');

	t.is((await hear()).content, "Failure! Slack outgoing webhooks don't support direct messages.");
	t.is(receiver.deliveries.length, 0);
});

test("an answer in the realm's own format says nothing in Slack's", async t => {
	const {alice, userId, hear} = await openScene(t, delivery =>
		reply(delivery.text.includes('loud') ? {text: 'hot'} : {content: 'cold', response_string: 'cold'})(delivery),
	);

	await alice.say({channel: 'general', topic: 'tea'}, '@**Tea** please');
	await alice.say({channel: 'general', topic: 'tea'}, '@**Tea** loud');

	t.is((await hear()).content, 'hot');
	await alice.patch(`/bots/${userId}`, {service_interface: 1});
	await alice.say({channel: 'general', topic: 'tea'}, '@**Tea** please');
	t.is((await hear()).content, 'cold');
});
