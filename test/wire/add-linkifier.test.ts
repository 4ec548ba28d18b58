import test from 'ava';
import {queueOf} from './event-kit.js';
import {addLinkifier, linksOf, notAdministrator, READS_TEMPLATES, rendered, TICKETS} from './linkifier-kit.js';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {at, badRequest, expectRefusal, expectSuccess, missing, openRealm, signIn} from './raw-request.js';
import {refused} from './refused.js';

test('the client writes pattern and URL template as they are and reads the ID', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":"","id":42}\n');

	const {id} = await client.addLinkifier({pattern: '#(?P<id>[0-9]+)', url_template: 'https://t.example/{id}'});

	const request = await server.request();
	t.is(request.line, 'POST /api/v1/realm/filters HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.headers['content-type'], 'application/x-www-form-urlencoded');
	t.is(request.body, 'pattern=%23%28%3FP%3Cid%3E%5B0-9%5D%2B%29&url_template=https%3A%2F%2Ft.example%2F%7Bid%7D');
	t.is(id, 42);
});

test('the client throws an ApiError for a linkifier that it may not add', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"Must be an organization administrator","code":"UNAUTHORIZED_PRINCIPAL"}\n',
	);

	t.deepEqual(await refusalOf(t, client.addLinkifier({pattern: 'x', url_template: 'https://t.example/'})), {
		code: 'UNAUTHORIZED_PRINCIPAL',
		status: 400,
		reason: 'Must be an organization administrator',
		fields: {},
	});
});

test('the realm makes links of what fits from then on, and tells everybody', async t => {
	const realm = await openRealm(t);
	const [adam, alice] = [await signIn(t, 'adam', realm), await signIn(t, 'alice', realm)];
	const events = await queueOf(alice, 'realm_linkifiers', READS_TEMPLATES);
	const old = await queueOf(alice, 'realm_linkifiers');
	t.is(await rendered(alice, 'see #12'), '<p>see #12</p>');

	const answer = await addLinkifier(adam);

	expectSuccess(t, answer);
	t.is(answer.body, '{"result":"success","msg":"","id":1}\n');
	t.is(await rendered(alice, 'see #12'), '<p>see <a href="https://t.example/12">#12</a></p>');
	t.deepEqual(await linksOf(alice, 'Bug #12'), [{text: '#12', url: 'https://t.example/12'}]);
	const rules = [{id: 1, pattern: '#(?P<id>[0-9]+)', url_template: 'https://t.example/{id}'}];
	t.deepEqual(await events(), [{type: 'realm_linkifiers', realm_linkifiers: rules}]);
	t.deepEqual(await old(), [{type: 'realm_linkifiers', realm_linkifiers: []}]);
});

test('links stand where words stand, not in code, other links or the middle of a word', async t => {
	const adam = await signIn(t, 'adam');
	await addLinkifier(adam);

	t.is(
		await rendered(adam, 'a#1 #1a `#1` (#1)'),
		'<p>a#1 #1a <code>#1</code> (<a href="https://t.example/1">#1</a>)</p>',
	);
	t.is(await rendered(adam, '[#1](https://x.example)'), '<p><a href="https://x.example">#1</a></p>');
	t.is(
		await rendered(adam, '**#1**, #2.'),
		'<p><strong><a href="https://t.example/1">#1</a></strong>, <a href="https://t.example/2">#2</a>.</p>',
	);
});

test('a topic has a link for each thing in it, in its order, addresses among them, the older rule first', async t => {
	const adam = await signIn(t, 'adam');
	await addLinkifier(adam);
	await addLinkifier(adam, 'pattern=(?P<repo>[a-z]%2B)%23(?P<id>[0-9]%2B)&url_template=https://r.example/{repo}/{id}');
	await addLinkifier(adam, 'pattern=%23(?P<any>[0-9a-z]%2B)&url_template=https://other.example/{any}');

	t.deepEqual(await linksOf(adam, 'web#7, http://a.example/b, #3'), [
		{text: 'web#7', url: 'https://r.example/web/7'},
		{text: 'http://a.example/b', url: 'http://a.example/b'},
		{text: '#3', url: 'https://t.example/3'},
	]);
});

test('the events of a message and of its move bear the links of the topic', async t => {
	const realm = await openRealm(t);
	const [adam, alice] = [await signIn(t, 'adam', realm), await signIn(t, 'alice', realm)];
	await addLinkifier(adam);
	const [sent, moved] = [await queueOf(alice, 'message'), await queueOf(alice, 'update_message')];

	const {json} = await alice.post('/api/v1/messages', 'content=x&type=channel&to=general&topic=Bug+%231');
	await alice.patch(`/api/v1/messages/${at(json, 'id')}`, 'topic=Bug+%232');

	t.deepEqual(at((await sent())[0] ?? null, 'message', 'topic_links'), [{text: '#1', url: 'https://t.example/1'}]);
	t.deepEqual(at((await moved())[0] ?? null, 'topic_links'), [{text: '#2', url: 'https://t.example/2'}]);
});

const expanded = test.macro({
	title: (_, template: string) => `the realm fills the URL template ${template}`,
	async exec(t, template: string, url: string) {
		const adam = await signIn(t, 'adam');
		const pattern = String.raw`(?P<a>\S+):(?P<b>\S*)`;

		await addLinkifier(adam, `pattern=${encodeURIComponent(pattern)}&url_template=${encodeURIComponent(template)}`);

		t.deepEqual(await linksOf(adam, 'x/é!:'), [{text: 'x/é!:', url}]);
	},
});

test(expanded, 'https://e.example/{a}{b}', 'https://e.example/x%2F%C3%A9%21');
test(expanded, 'https://e.example/{+a}{#b}', 'https://e.example/x/%C3%A9!#');
test(expanded, 'https://e.example{/a,b}', 'https://e.example/x%2F%C3%A9%21/');
test(expanded, 'https://e.example/{?a,b}', 'https://e.example/?a=x%2F%C3%A9%21&b=');
test(expanded, 'https://e.example/?q{&a}{;b}', 'https://e.example/?q&a=x%2F%C3%A9%21;b');

test('nothing that would run in a browser becomes a link', async t => {
	const adam = await signIn(t, 'adam');

	await addLinkifier(adam, 'pattern=%23(?P<id>[0-9]%2B)&url_template=javascript:alert({id})');

	t.is(await rendered(adam, '#1'), '<p>#1</p>');
	t.deepEqual(await linksOf(adam, '#1'), []);
});

test('the realm names the parameters of a linkifier that it does not know', async t => {
	const adam = await signIn(t, 'adam');

	const {json} = await addLinkifier(adam, `${TICKETS}&colour=red`);

	t.deepEqual(at(json, 'ignored_parameters_unsupported'), ['colour']);
});

test('the realm refuses the same pattern twice', async t => {
	const adam = await signIn(t, 'adam');
	await addLinkifier(adam);

	expectRefusal(t, await addLinkifier(adam), badRequest('Realm filter with this Realm and Pattern already exists.'));
});

test('a linkifier of a member, before what is wrong with it', refused, {
	as: 'mona',
	ask: mona => addLinkifier(mona, ''),
	answer: notAdministrator,
});
test('a linkifier without pattern', refused, {
	as: 'adam',
	ask: adam => addLinkifier(adam, 'url_template=https://t.example/{id}'),
	answer: missing('pattern'),
});
test('a linkifier without URL template', refused, {
	as: 'adam',
	ask: adam => addLinkifier(adam, 'pattern=x'),
	answer: missing('url_template'),
});
test('a pattern that is no regular expression', refused, {
	as: 'adam',
	ask: adam => addLinkifier(adam, 'pattern=(&url_template=https://t.example/'),
	answer: badRequest('Bad regular expression: ('),
});
test('a URL template with an open brace', refused, {
	as: 'adam',
	ask: adam => addLinkifier(adam, 'pattern=(?P<id>x)&url_template=https://t.example/{id'),
	answer: badRequest('Invalid URL template.'),
});
test('a group that the URL template does not know', refused, {
	as: 'adam',
	ask: adam => addLinkifier(adam, 'pattern=(?P<id>x)&url_template=https://t.example/'),
	answer: badRequest("Group 'id' in linkifier pattern is not present in URL template."),
});
test('a name in the URL template that is no group', refused, {
	as: 'adam',
	ask: adam => addLinkifier(adam, 'pattern=x&url_template=https://t.example/{id}'),
	answer: badRequest("Group 'id' in URL template is not present in linkifier pattern."),
});
