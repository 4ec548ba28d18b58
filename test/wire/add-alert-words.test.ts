import test from 'ava';
import {queueOf} from './event-kit.js';
import {AUTHORIZATION, clientAnswered} from './raw-client.js';
import {at, badRequest, type Caller, expectRefusal, expectSuccess, missing, openRealm, signIn} from './raw-request.js';
import {refused} from './refused.js';

const PATH = '/api/v1/users/me/alert_words';

test('the client sends words as JSON in a form, and reads all of them', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":"","alert_words":["soup","tea"]}\n');

	const {alert_words} = await client.addAlertWords({alert_words: ['tea']});

	const request = await server.request();
	t.is(request.line, 'POST /api/v1/users/me/alert_words HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.body, 'alert_words=%5B%22tea%22%5D');
	t.deepEqual(alert_words, ['soup', 'tea']);
});

test('the realm adds words to those that are there, trimmed, once each whatever their case, and tells', async t => {
	const alice = await signIn(t);
	const events = await queueOf(alice, 'alert_words');
	await alice.post(PATH, 'alert_words=%5B%22soup%22%5D');

	const answer = await alice.post(PATH, 'alert_words=%5B%22+tea+%22,%22SOUP%22,%22+%22%5D');

	expectSuccess(t, answer);
	t.deepEqual(answer.json, {result: 'success', msg: '', alert_words: ['soup', 'tea']});
	t.deepEqual(await events(), [
		{type: 'alert_words', alert_words: ['soup']},
		{type: 'alert_words', alert_words: ['soup', 'tea']},
	]);
});

for (const [content, isMarked] of [
	['the%20soup.', true],
	['SOUP!', true],
	['soups', false],
	['a%20(c%2B%2B)%20b', true],
	['-/.*%2B?^$%7B%7D()%7C%5B%5D%5C', true],
] as const) {
	test(`the realm ${isMarked ? 'marks' : 'does not mark'} ${decodeURIComponent(content)} for who wants to be told`, async t => {
		const realm = await openRealm(t);
		const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
		await alice.post(PATH, 'alert_words=%5B%22soup%22,%22c%2B%2B%22,%22-/.*%2B?^$%7B%7D()%7C%5B%5D%5C%5C%22%5D');
		const {json} = await bob.post('/api/v1/messages', `type=channel&to=general&topic=x&content=${content}`);

		const flags = async (caller: Caller) =>
			at((await caller.get(`/api/v1/messages/${at(json, 'id')}`)).json, 'message', 'flags');

		t.deepEqual(await flags(alice), isMarked ? ['has_alert_word'] : []);
		t.deepEqual(await flags(bob), []);
	});
}

test('an edit marks a message for those whose words it brings, and no longer for those whose words it drops', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	await alice.post(PATH, 'alert_words=%5B%22soup%22%5D');
	const {json} = await bob.post('/api/v1/messages', 'type=channel&to=general&topic=x&content=bread');
	const path = `/api/v1/messages/${at(json, 'id')}`;
	const flags = async () => at((await alice.get(path)).json, 'message', 'flags');

	await bob.patch(path, 'content=soup');
	const withWord = await flags();
	await bob.patch(path, 'content=tea');

	t.deepEqual(withWord, ['has_alert_word']);
	t.deepEqual(await flags(), []);
});

const post = (form: string) => (caller: Caller) => caller.post(PATH, form);

test('alert words that are missing', refused, {ask: post(''), answer: missing('alert_words')});
test('an alert word that is a number', refused, {
	ask: post('alert_words=%5B1%5D'),
	answer: badRequest('alert_words[0] is not a string'),
});
test('one alert word outside of a list', refused, {
	ask: post('alert_words=%22soup%22'),
	answer: badRequest('alert_words is not a list'),
});

test('the realm refuses an alert word of 101 characters and takes one of 100', async t => {
	const alice = await signIn(t);

	expectSuccess(t, await alice.post(PATH, `alert_words=%5B%22${'a'.repeat(100)}%22%5D`));
	expectRefusal(
		t,
		await alice.post(PATH, `alert_words=%5B%22b%22,%22${'a'.repeat(101)}%22%5D`),
		badRequest('alert_words[1] is too long (limit: 100 characters)'),
	);
});
