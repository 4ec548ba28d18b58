import test from 'ava';
import {handlers} from '../../src/realm/operations/index.js';
import type {Handlers} from '../../src/realm/routes.js';
import {basic, openRealm, send, signIn} from './realm-kit.js';

interface Case {
	readonly call: readonly ['get' | 'post', string, Readonly<Record<string, unknown>>];
	readonly body: Readonly<Record<string, unknown>>;
}

const refused = test.macro({
	title: (title = '') => `${title} is refused`,
	async exec(t, {call: [method, path, values], body}: Case) {
		const alice = await signIn(await openRealm(t), 'alice');

		const answer = await alice[method](path, values);

		t.is(answer.status, 400);
		t.deepEqual(answer.body, {result: 'error', code: 'BAD_REQUEST', ...body});
	},
});

const bad = (method: 'get' | 'post', path: string, values: Record<string, unknown>, msg: string): Case => ({
	call: [method, path, values],
	body: {msg},
});
const events = {queue_id: 'x', last_event_id: '-1'};
const messages = {anchor: 'newest'};

test('a word as integer', refused, bad('get', '/messages', {num_before: 'abc'}, 'num_before is not valid JSON'));
test('a quoted integer', refused, bad('get', '/messages', {num_before: '"5"'}, 'num_before is not an integer'));
test('a fraction as integer', refused, bad('get', '/messages', {num_before: 1.5}, 'num_before is not an integer'));
test('true as integer', refused, bad('get', '/messages', {num_before: true}, 'num_before is not an integer'));
test('a negative count', refused, bad('get', '/messages', {num_before: -1}, 'num_before is too small'));
test(
	'True as boolean',
	refused,
	bad('get', '/events', {...events, dont_block: 'True'}, 'dont_block is not valid JSON'),
);
test('1 as boolean', refused, bad('get', '/events', {...events, dont_block: 1}, 'dont_block is not a boolean'));
test('an object as list', refused, bad('get', '/users', {user_ids: {}}, 'user_ids is not a list'));
test('a list with a bad element', refused, bad('get', '/users', {user_ids: [1, 'x']}, 'user_ids[1] is not an integer'));
test(
	'an object that lacks a key',
	refused,
	bad(
		'post',
		'/register',
		{client_capabilities: {}},
		'client_capabilities["notification_settings_null"] field is missing: Field required',
	),
);
test('an unknown type', refused, bad('post', '/messages', {content: 'x', type: 'x', to: '[1]'}, 'Invalid type'));
test('a missing anchor', refused, bad('get', '/messages', {}, "Missing 'anchor' argument."));
test('a bad anchor', refused, bad('get', '/messages', {anchor: 'middle'}, 'Invalid anchor'));
test(
	'too many messages',
	refused,
	bad('get', '/messages', {...messages, num_before: 5001}, 'Too many messages requested (maximum 5000).'),
);
test('a poll without queue', refused, bad('get', '/events', {}, "Missing 'queue_id' argument"));
test('a poll without last event', refused, bad('get', '/events', {queue_id: 'x'}, "Missing 'last_event_id' argument"));
test('a missing parameter', refused, {
	call: ['post', '/messages', {content: 'x'}],
	body: {msg: "Missing 'type' argument", code: 'REQUEST_VARIABLE_MISSING', var_name: 'type'},
});
test('a parameter under two names', refused, {
	call: ['post', '/messages', {content: 'x', type: 'channel', to: 'general', topic: 'a', subject: 'b'}],
	body: {
		msg: "Can't decide between 'topic' and 'subject' arguments",
		code: 'REQUEST_CONFUSING_VAR',
		var_name1: 'topic',
		var_name2: 'subject',
	},
});
test('an unknown narrow operator', refused, {
	call: ['get', '/messages', {...messages, narrow: [['colour', 'red']]}],
	body: {
		msg: 'Invalid narrow operator: unknown operator colour',
		code: 'BAD_NARROW',
		desc: 'unknown operator colour',
	},
});

test('the first bad parameter in the order of the table decides', async t => {
	const alice = await signIn(await openRealm(t), 'alice');

	const answer = await alice.post('/messages', {read_by_sender: 'maybe'});

	t.is(answer.body.var_name, 'content');
});

test('the form body goes before the query string', async t => {
	const alice = await signIn(await openRealm(t), 'alice');

	const sent = await alice.post('/messages?content=query', {type: 'direct', to: '[4]', content: 'body'});
	const {body} = await alice.get(`/messages/${sent.body.id}`);

	t.is(body.raw_content, 'body');
});

test('multipart bodies are read like forms', async t => {
	const realm = await openRealm(t);
	const alice = await signIn(realm, 'alice');
	const form = new FormData();
	form.set('type', 'direct');
	form.set('to', '[4]');
	form.set('content', 'naïve');

	const response = await fetch(`${realm.url}/api/v1/messages`, {
		method: 'POST',
		body: form,
		headers: basic(alice.email, alice.key),
	});
	const {id} = (await response.json()) as {id: number};

	t.is((await alice.get(`/messages/${id}`)).body.raw_content, 'naïve');
});

test('a JSON body counts as missing', async t => {
	const realm = await openRealm(t);
	const alice = await signIn(realm, 'alice');

	const response = await fetch(`${realm.url}/api/v1/messages`, {
		method: 'POST',
		body: JSON.stringify({content: 'x'}),
		headers: {...basic(alice.email, alice.key), 'content-type': 'application/json'},
	});
	const body = (await response.json()) as {var_name: string};

	t.is(body.var_name, 'content');
});

test('a form field named method replaces the method of a POST', async t => {
	const alice = await signIn(await openRealm(t), 'alice');

	const answer = await alice.post('/events', {method: 'DELETE', queue_id: 'nope'});

	t.is(answer.body.code, 'BAD_EVENT_QUEUE_ID');
});

test('what nobody read is named in order, and only on success', async t => {
	const alice = await signIn(await openRealm(t), 'alice');

	const done = await alice.get('/users', {zebra: 1, ant: 2, client: 'me'});
	const refusal = await alice.get('/messages', {zebra: 1});

	t.deepEqual(done.body.ignored_parameters_unsupported, ['ant', 'zebra']);
	t.false('ignored_parameters_unsupported' in refusal.body);
});

test('a parameter newer than the level that the realm plays is not read', async t => {
	const alice = await signIn(await openRealm(t, {featureLevel: 383}), 'alice');

	const {body} = await alice.get('/users', {user_ids: [4]});

	t.true(body.members.length > 1);
	t.deepEqual(body.ignored_parameters_unsupported, ['user_ids']);
});

test('a level below 167 names nothing', async t => {
	const alice = await signIn(await openRealm(t, {featureLevel: 166}), 'alice');

	const {body} = await alice.get('/users', {zebra: 1});

	t.false('ignored_parameters_unsupported' in body);
});

test('answers end with a newline and are kept by no cache', async t => {
	const realm = await openRealm(t);

	const response = await fetch(`${realm.url}/api/v1/server_settings`);

	t.true((await response.text()).endsWith('}\n'));
	t.regex(response.headers.get('cache-control') ?? '', /no-store/);
	t.regex(response.headers.get('content-type') ?? '', /^application\/json/);
});

test('an unknown path is 404, and so is a word where the path has an ID', async t => {
	const realm = await openRealm(t);
	const alice = await signIn(realm, 'alice');

	t.is((await alice.get('/nothing')).status, 404);
	t.is((await alice.get('/messages/abc')).status, 404);
	t.is((await alice.get('/nothing')).body.result, 'error');
});

test('a method that the path does not know is 405, without code', async t => {
	const realm = await openRealm(t);

	const answer = await send(realm, {method: 'PATCH', path: '/messages'});

	t.is(answer.status, 405);
	t.deepEqual(answer.body, {
		result: 'error',
		msg: 'Method Not Allowed',
		allowed_methods: ['GET', 'HEAD', 'POST'],
	});
});

test('OPTIONS names the methods and HEAD works where GET does', async t => {
	const realm = await openRealm(t);

	const options = await fetch(`${realm.url}/api/v1/events`, {method: 'OPTIONS'});
	const head = await fetch(`${realm.url}/api/v1/server_settings`, {method: 'HEAD'});

	t.is(options.status, 204);
	t.is(options.headers.get('allow'), 'DELETE, GET, HEAD');
	t.is(head.status, 200);
	t.is(await head.text(), '');
});

test('an operation without handler does not compile', t => {
	const {sendMessage: _left, ...others} = handlers;

	// @ts-expect-error sendMessage is missing
	const incomplete: Handlers = others;

	t.false('sendMessage' in incomplete);
});
