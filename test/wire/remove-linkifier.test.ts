import test from 'ava';
import {queueOf} from './event-kit.js';
import {addLinkifier, linkifiers, notAdministrator, READS_TEMPLATES, rendered} from './linkifier-kit.js';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {at, badRequest, expectSuccess, openRealm, signIn} from './raw-request.js';
import {refused} from './refused.js';

test('the client writes the linkifier to remove in the path and nothing in the form', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await client.removeLinkifier({filter_id: 42});

	const request = await server.request();
	t.is(request.line, 'DELETE /api/v1/realm/filters/42 HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.body, '');
});

test('the client throws an ApiError for a linkifier that was removed already', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"Linkifier not found.","code":"BAD_REQUEST"}\n',
	);

	t.deepEqual(await refusalOf(t, client.removeLinkifier({filter_id: 42})), {
		code: 'BAD_REQUEST',
		status: 400,
		reason: 'Linkifier not found.',
		fields: {},
	});
});

test('the realm makes no more links once a linkifier is removed, and tells everybody', async t => {
	const realm = await openRealm(t);
	const [adam, alice] = [await signIn(t, 'adam', realm), await signIn(t, 'alice', realm)];
	await addLinkifier(adam);
	const events = await queueOf(alice, 'realm_linkifiers', READS_TEMPLATES);

	const answer = await adam.delete('/api/v1/realm/filters/1', '');

	expectSuccess(t, answer);
	t.is(answer.body, '{"result":"success","msg":""}\n');
	t.deepEqual(await linkifiers(alice), []);
	t.is(await rendered(alice, '#1'), '<p>#1</p>');
	t.deepEqual(await events(), [{type: 'realm_linkifiers', realm_linkifiers: []}]);
});

test('the realm names the parameters of a removed linkifier that it does not know', async t => {
	const adam = await signIn(t, 'adam');
	await addLinkifier(adam);

	const {json} = await adam.delete('/api/v1/realm/filters/1', 'colour=red');

	t.deepEqual(at(json, 'ignored_parameters_unsupported'), ['colour']);
});

test('the removal of a linkifier that never was', refused, {
	as: 'adam',
	ask: adam => adam.delete('/api/v1/realm/filters/4711', ''),
	answer: badRequest('Linkifier not found.'),
});
test('the removal of a linkifier by a moderator', refused, {
	as: 'mona',
	ask: mona => mona.delete('/api/v1/realm/filters/1', ''),
	answer: notAdministrator,
});
