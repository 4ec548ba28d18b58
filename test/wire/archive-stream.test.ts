import test from 'ava';
import {channelNamed, channelsIn, KNOWS_ARCHIVED} from './channel-kit.js';
import {queueOf} from './event-kit.js';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {
	at,
	badRequest,
	channelId,
	expectRefusal,
	expectSuccess,
	newestMessage,
	openRealm,
	signIn,
} from './raw-request.js';
import {refused} from './refused.js';

const path = (id: number) => `/api/v1/streams/${id}`;

test('the client archives a channel by its ID in the path', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await client.archiveStream({stream_id: 7});

	const request = await server.request();
	t.is(request.line, 'DELETE /api/v1/streams/7 HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.body, '');
});

test('the client throws an ApiError for a channel that is archived', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"Channel is already deactivated","code":"BAD_REQUEST"}\n',
	);

	t.deepEqual(await refusalOf(t, client.archiveStream({stream_id: 7})), {
		code: 'BAD_REQUEST',
		status: 400,
		reason: 'Channel is already deactivated',
		fields: {},
	});
});

test('the realm archives a channel: to some clients it is over, to others gone, and its own page says so', async t => {
	const realm = await openRealm(t);
	const [adam, alice] = [await signIn(t, 'adam', realm), await signIn(t, 'alice', realm)];
	const general = await channelId(adam, 'general');
	const [aware, plain] = [await queueOf(alice, 'stream', KNOWS_ARCHIVED), await queueOf(alice, 'stream')];

	const answer = await adam.delete(path(general), '');

	expectSuccess(t, answer);
	t.deepEqual(answer.json, {result: 'success', msg: ''});
	t.like(await channelNamed(adam, 'general'), {is_archived: true, is_default: false, is_recently_active: false});
	t.deepEqual(await aware(), [
		{type: 'stream', op: 'update', stream_id: general, name: 'general', property: 'is_archived', value: true},
	]);
	t.deepEqual(await plain(), [{type: 'stream', op: 'delete', stream_ids: [general], streams: [{stream_id: general}]}]);
	t.like(await newestMessage(alice), {
		subject: 'channel events',
		sender_full_name: 'Notification Bot',
		content: 'Channel #**general** has been archived.',
	});
});

test('in an archived channel nobody writes; subscriptions stay for clients that know such channels', async t => {
	const realm = await openRealm(t);
	const [adam, alice] = [await signIn(t, 'adam', realm), await signIn(t, 'alice', realm)];
	const lunch = await channelId(adam, 'lunch');
	await alice.post('/api/v1/messages', 'type=channel&to=lunch&topic=x&content=kept');

	await adam.delete(path(lunch), '');

	expectRefusal(
		t,
		await alice.post('/api/v1/messages', 'type=channel&to=lunch&topic=x&content=y'),
		badRequest("Not authorized to send to channel 'lunch'"),
	);
	expectRefusal(t, await alice.get(`/api/v1/users/me/${lunch}/topics`), badRequest('Invalid channel ID'));
	t.deepEqual(await channelsIn(alice, 'subscriptions'), ['announcements', 'general']);
	t.deepEqual(await channelsIn(alice, 'subscriptions', KNOWS_ARCHIVED), ['announcements', 'attic', 'general', 'lunch']);
	const query = 'anchor=newest&num_before=9&apply_markdown=false&narrow=[{"operator":"topic","operand":"x"}]';
	const {json} = await alice.get(`/api/v1/messages?${encodeURI(query)}`);
	t.is(at(json, 'messages', 0, 'content'), 'kept');
});

test('a channel where every topic is empty is archived with a notice in that one', async t => {
	const olivia = await signIn(t, 'olivia');
	const {json} = await olivia.post(
		'/api/v1/channels/create',
		'name=den&subscribers=[1]&topics_policy=empty_topic_only',
	);

	await olivia.delete(path(Number(at(json, 'id'))), '');

	t.like(await newestMessage(olivia), {subject: '', content: 'Channel #**den** has been archived.'});
});

test('whoever made a channel archives it', async t => {
	const alice = await signIn(t);
	const {json} = await alice.post('/api/v1/channels/create', 'name=den&subscribers=[4]');

	expectSuccess(t, await alice.delete(path(Number(at(json, 'id'))), ''));
});

for (const [kind, as, channel, msg] of [
	['a member', 'alice', 'lunch', 'You do not have permission to administer this channel.'],
	['somebody who does not see the channel', 'alice', 'staff', 'Invalid channel ID'],
	['an administrator, of a channel that is archived', 'adam', 'attic', 'Channel is already deactivated'],
] as const) {
	test(`the realm refuses to archive for ${kind}`, async t => {
		const realm = await openRealm(t);
		const id = await channelId(await signIn(t, 'olivia', realm), channel);

		expectRefusal(t, await (await signIn(t, as, realm)).delete(path(id), ''), badRequest(msg));
	});
}

test('the end of an unknown channel', refused, {
	as: 'olivia',
	ask: caller => caller.delete(path(999), ''),
	answer: badRequest('Invalid channel ID'),
});
