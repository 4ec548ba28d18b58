import test from 'ava';
import {AUTHORIZATION, clientAnswered} from './raw-client.js';
import {expectSuccess, signIn} from './raw-request.js';

test('the client asks for custom emoji and reads them by ID', async t => {
	const {client, server} = await clientAnswered(
		t,
		'{"result":"success","msg":"","emoji":{"1":{"id":"1","name":"green_tick","deactivated":false,' +
			'"source_url":"/user_avatars/1/emoji/images/1.png","still_url":null,"author_id":5}}}\n',
	);

	const {emoji} = await client.getCustomEmoji();

	const request = await server.request();
	t.is(request.line, 'GET /api/v1/realm/emoji HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(emoji['1']?.name, 'green_tick');
	t.is(emoji['1']?.author_id, 5);
});

test('the realm has no custom emoji', async t => {
	const answer = await (await signIn(t)).get('/api/v1/realm/emoji');

	expectSuccess(t, answer);
	t.deepEqual(answer.json, {result: 'success', msg: '', emoji: {}});
});
