import test from 'ava';
import {AUTHORIZATION, clientAnswered} from './raw-client.js';
import {badRequest, channelId, expectRefusal, openRealm, signIn} from './raw-request.js';

test('the client asks for subscribers with the channel in the path', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":"","subscribers":[11,26]}\n');

	t.deepEqual((await client.getSubscribers({stream_id: 7})).subscribers, [11, 26]);

	const request = await server.request();
	t.is(request.line, 'GET /api/v1/streams/7/members HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
});

for (const [channel, names] of [
	['staff', ['olivia', 'adam', 'mona']],
	['lunch', ['alice', 'bob', 'carla', 'mona']],
] as const) {
	test(`the realm lists who is subscribed to ${channel}`, async t => {
		const realm = await openRealm(t);
		const olivia = await signIn(t, 'olivia', realm);
		const people = await Promise.all(names.map(name => signIn(t, name, realm)));

		const {json} = await olivia.get(`/api/v1/streams/${await channelId(olivia, channel)}/members`);

		const subscribers = people.map(({userId}) => userId).sort((a, b) => a - b);
		t.deepEqual(json, {result: 'success', msg: '', subscribers});
	});
}

for (const [kind, name, channel] of [
	['a private channel of others', 'alice', 'staff'],
	['an archived channel', 'olivia', 'attic'],
	['a public channel to a guest who is not in it', 'gus', 'lunch'],
] as const) {
	test(`the realm refuses the subscribers of ${kind}`, async t => {
		const realm = await openRealm(t);
		const id = await channelId(await signIn(t, 'olivia', realm), channel);

		const answer = await (await signIn(t, name, realm)).get(`/api/v1/streams/${id}/members`);

		expectRefusal(t, answer, badRequest('Invalid channel ID'));
	});
}

test('the realm refuses the subscribers of an unknown channel', async t => {
	expectRefusal(t, await (await signIn(t)).get('/api/v1/streams/4711/members'), badRequest('Invalid channel ID'));
});
