import test from 'ava';
import {queueOf} from './event-kit.js';
import {addLinkifier, linkifiers, notAdministrator, READS_TEMPLATES, rendered, TICKETS} from './linkifier-kit.js';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {at, badRequest, expectRefusal, expectSuccess, missing, openRealm, signIn} from './raw-request.js';
import {refused} from './refused.js';

const PULLS = 'pattern=!(?P<n>[0-9]%2B)&url_template=https://p.example/{n}';

test('the client writes the linkifier in the path and the rest in a form', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await client.updateLinkifier({filter_id: 42, pattern: '!(?P<n>.)', url_template: 'https://p.example/{n}'});

	const request = await server.request();
	t.is(request.line, 'PATCH /api/v1/realm/filters/42 HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.headers['content-type'], 'application/x-www-form-urlencoded');
	t.is(request.body, 'pattern=%21%28%3FP%3Cn%3E.%29&url_template=https%3A%2F%2Fp.example%2F%7Bn%7D');
});

test('the client throws an ApiError for a linkifier that is gone', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"Linkifier not found.","code":"BAD_REQUEST"}\n',
	);

	t.deepEqual(await refusalOf(t, client.updateLinkifier({filter_id: 42, pattern: 'x', url_template: 'y'})), {
		code: 'BAD_REQUEST',
		status: 400,
		reason: 'Linkifier not found.',
		fields: {},
	});
});

test('the realm changes a linkifier for the texts that come, and tells everybody', async t => {
	const realm = await openRealm(t);
	const [adam, alice] = [await signIn(t, 'adam', realm), await signIn(t, 'alice', realm)];
	await addLinkifier(adam);
	const events = await queueOf(alice, 'realm_linkifiers', READS_TEMPLATES);

	const answer = await adam.patch('/api/v1/realm/filters/1', PULLS);

	expectSuccess(t, answer);
	t.is(answer.body, '{"result":"success","msg":""}\n');
	t.is(await rendered(alice, '#1 !2'), '<p>#1 <a href="https://p.example/2">!2</a></p>');
	const rules = [{id: 1, pattern: '!(?P<n>[0-9]+)', url_template: 'https://p.example/{n}'}];
	t.deepEqual(await linkifiers(alice), rules);
	t.deepEqual(await events(), [{type: 'realm_linkifiers', realm_linkifiers: rules}]);
});

test('the realm takes the same pattern with another target, but not the pattern of another linkifier', async t => {
	const adam = await signIn(t, 'adam');
	await addLinkifier(adam);
	await addLinkifier(adam, PULLS);

	expectSuccess(t, await adam.patch('/api/v1/realm/filters/2', PULLS.replace('p.example', 'q.example')));
	expectRefusal(
		t,
		await adam.patch('/api/v1/realm/filters/2', TICKETS),
		badRequest('Realm filter with this Realm and Pattern already exists.'),
	);

	t.is(await rendered(adam, '!2'), '<p><a href="https://q.example/2">!2</a></p>');
});

test('the realm names the parameters of a changed linkifier that it does not know', async t => {
	const adam = await signIn(t, 'adam');
	await addLinkifier(adam);

	const {json} = await adam.patch('/api/v1/realm/filters/1', `${PULLS}&colour=red`);

	t.deepEqual(at(json, 'ignored_parameters_unsupported'), ['colour']);
});

const change = (form: string) => async (adam: Parameters<typeof addLinkifier>[0]) => {
	await addLinkifier(adam);
	return adam.patch('/api/v1/realm/filters/1', form);
};

test('a change of a linkifier that never was', refused, {
	as: 'adam',
	ask: adam => adam.patch('/api/v1/realm/filters/4711', PULLS),
	answer: badRequest('Linkifier not found.'),
});
test('a change of a linkifier by a moderator', refused, {as: 'mona', ask: change(PULLS), answer: notAdministrator});
test('a change without pattern', refused, {
	as: 'adam',
	ask: change('url_template=https://t.example/'),
	answer: missing('pattern'),
});
test('a change without URL template', refused, {as: 'adam', ask: change('pattern=x'), answer: missing('url_template')});
test('a change to what is no regular expression', refused, {
	as: 'adam',
	ask: change('pattern=[&url_template=https://t.example/'),
	answer: badRequest('Bad regular expression: ['),
});
test('a change to a URL template with other names', refused, {
	as: 'adam',
	ask: change('pattern=(?P<id>x)&url_template=https://t.example/{n}'),
	answer: badRequest("Group 'id' in linkifier pattern is not present in URL template."),
});
