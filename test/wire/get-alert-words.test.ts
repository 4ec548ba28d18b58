import test from 'ava';
import {AUTHORIZATION, clientAnswered} from './raw-client.js';
import {at, expectSuccess, openRealm, signIn} from './raw-request.js';

const PATH = '/api/v1/users/me/alert_words';

test('the client asks for the words and reads them', async t => {
	const {client, server} = await clientAnswered(
		t,
		'{"result":"success","msg":"","alert_words":["natural","natural tea"]}\n',
	);

	const {alert_words} = await client.getAlertWords();

	const request = await server.request();
	t.is(request.line, 'GET /api/v1/users/me/alert_words HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.deepEqual(alert_words, ['natural', 'natural tea']);
});

test("the realm tells one's own words, and everybody only theirs", async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	await alice.post(PATH, 'alert_words=%5B%22soup%22,%22old+bread%22%5D');

	const [hers, his] = [await alice.get(PATH), await bob.get(PATH)];

	expectSuccess(t, hers);
	t.deepEqual(hers.json, {result: 'success', msg: '', alert_words: ['soup', 'old bread']});
	t.deepEqual(his.json, {result: 'success', msg: '', alert_words: []});
	const state = await alice.post('/api/v1/register', 'fetch_event_types=%5B%22alert_words%22%5D');
	t.deepEqual(at(state.json, 'alert_words'), ['soup', 'old bread']);
});
