import test from 'ava';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {at, expectSuccess, openRealm, signIn} from './raw-request.js';

const FORM = 'pattern=%23(?P<id>[0-9]%2B)&url_template=https://t.example/{id}';

test('the client asks for linkifiers and reads them', async t => {
	const {client, server} = await clientAnswered(
		t,
		'{"result":"success","msg":"","linkifiers":[{"id":1,"pattern":"#(?P<id>[0-9]+)","url_template":"https://t.example/{id}"}]}\n',
	);

	const {linkifiers} = await client.getLinkifiers();

	const request = await server.request();
	t.is(request.line, 'GET /api/v1/realm/linkifiers HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.deepEqual(linkifiers, [{id: 1, pattern: '#(?P<id>[0-9]+)', url_template: 'https://t.example/{id}'}]);
});

test('the client throws an ApiError for linkifiers that it may not see', async t => {
	const {client} = await clientRefused(
		t,
		'401 Unauthorized',
		'{"result":"error","msg":"Invalid API key","code":"UNAUTHORIZED"}\n',
	);

	t.like(await refusalOf(t, client.getLinkifiers()), {code: 'UNAUTHORIZED', status: 401});
});

test('the realm lists linkifiers for everybody, to the byte, in the order in which they came', async t => {
	const realm = await openRealm(t);
	const [adam, gus] = [await signIn(t, 'adam', realm), await signIn(t, 'gus', realm)];
	const empty = await gus.get('/api/v1/realm/linkifiers');
	t.is(empty.body, '{"result":"success","msg":"","linkifiers":[]}\n');
	await adam.post('/api/v1/realm/filters', FORM);
	await adam.post('/api/v1/realm/filters', 'pattern=RFC-(?P<n>[0-9]%2B)&url_template=https://rfc.example/{n}');

	const answer = await gus.get('/api/v1/realm/linkifiers');

	expectSuccess(t, answer);
	t.is(
		answer.body,
		'{"result":"success","msg":"","linkifiers":[{"id":1,"pattern":"#(?P<id>[0-9]+)","url_template":"https://t.example/{id}"},{"id":2,"pattern":"RFC-(?P<n>[0-9]+)","url_template":"https://rfc.example/{n}"}]}\n',
	);
});

test('the realm gives linkifiers with the state of `realm_linkifiers` to clients that read URL templates', async t => {
	const realm = await openRealm(t);
	const adam = await signIn(t, 'adam', realm);
	await adam.post('/api/v1/realm/filters', FORM);
	const stateOf = async (form: string) =>
		at((await adam.post('/api/v1/register', `event_types=["realm_linkifiers"]${form}`)).json, 'realm_linkifiers');

	t.deepEqual(await stateOf(''), []);
	t.deepEqual(await stateOf('&client_capabilities={"notification_settings_null":true,"linkifier_url_template":true}'), [
		{id: 1, pattern: '#(?P<id>[0-9]+)', url_template: 'https://t.example/{id}'},
	]);
});

test('the realm names the parameters of a list of linkifiers that it does not know', async t => {
	const alice = await signIn(t);

	const {json} = await alice.get('/api/v1/realm/linkifiers?colour=red');

	t.deepEqual(at(json, 'ignored_parameters_unsupported'), ['colour']);
});
