import test from 'ava';
import {AUTHORIZATION, clientAnswered} from './raw-client.js';
import {badRequest, channelId, missing, signIn} from './raw-request.js';
import {refused} from './refused.js';

test('the client asks for an ID with the name in the query', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":"","stream_id":15}\n');

	const {stream_id} = await client.getStreamId({stream: 'Denmark & more'});

	t.is(stream_id, 15);
	const request = await server.request();
	t.is(request.line, 'GET /api/v1/get_stream_id?stream=Denmark+%26+more HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
});

for (const name of ['general', 'lunch']) {
	test(`the realm finds the ID of ${name}, whatever its case`, async t => {
		const alice = await signIn(t);

		const {json} = await alice.get(`/api/v1/get_stream_id?stream=${name.toUpperCase()}`);

		t.deepEqual(json, {result: 'success', msg: '', stream_id: await channelId(alice, name)});
	});
}

for (const [kind, as, name] of [
	['an unknown channel', 'alice', 'nowhere'],
	['a private channel of others', 'alice', 'staff'],
	['an archived channel', 'olivia', 'attic'],
	['a public channel to a guest who is not in it', 'gus', 'lunch'],
] as const) {
	test(`the ID of ${kind}`, refused, {
		as,
		ask: caller => caller.get(`/api/v1/get_stream_id?stream=${name}`),
		answer: badRequest(`Invalid channel name '${name}'`),
	});
}

test('the ID of no channel', refused, {ask: caller => caller.get('/api/v1/get_stream_id'), answer: missing('stream')});
