import test from 'ava';
import {queueOf} from './event-kit.js';
import {AUTHORIZATION, clientAnswered} from './raw-client.js';
import {at, badRequest, expectSuccess, missing, signIn} from './raw-request.js';
import {refused} from './refused.js';

const PATH = '/api/v1/users/me/alert_words';

test('the client sends words as JSON in a form, and reads the others', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":"","alert_words":["soup"]}\n');

	const {alert_words} = await client.removeAlertWords({alert_words: ['tea']});

	const request = await server.request();
	t.is(request.line, 'DELETE /api/v1/users/me/alert_words HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.body, 'alert_words=%5B%22tea%22%5D');
	t.deepEqual(alert_words, ['soup']);
});

test('the realm removes words whatever their case, passes over others, and tells', async t => {
	const alice = await signIn(t);
	await alice.post(PATH, 'alert_words=%5B%22soup%22,%22tea%22%5D');
	const events = await queueOf(alice, 'alert_words');

	const answer = await alice.delete(PATH, 'alert_words=%5B%22TEA%22,%22bread%22%5D');

	expectSuccess(t, answer);
	t.deepEqual(answer.json, {result: 'success', msg: '', alert_words: ['soup']});
	t.deepEqual(await events(), [{type: 'alert_words', alert_words: ['soup']}]);
	t.deepEqual(at((await alice.get(PATH)).json, 'alert_words'), ['soup']);
});

test('alert words to remove that are missing', refused, {
	ask: alice => alice.delete(PATH, ''),
	answer: missing('alert_words'),
});
test('alert words to remove that are no list', refused, {
	ask: alice => alice.delete(PATH, 'alert_words=%7B%7D'),
	answer: badRequest('alert_words is not a list'),
});
