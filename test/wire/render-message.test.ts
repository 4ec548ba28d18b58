import test from 'ava';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {at, expectSuccess, missing, signIn} from './raw-request.js';
import {refused} from './refused.js';

test('the client writes the text to render in a form and reads the HTML', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":"","rendered":"<p><b>foo</b></p>"}\n');

	const {rendered} = await client.renderMessage({content: '**foo** & more'});

	const request = await server.request();
	t.is(request.line, 'POST /api/v1/messages/render HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.headers['content-type'], 'application/x-www-form-urlencoded');
	t.is(request.body, 'content=**foo**+%26+more');
	t.is(rendered, '<p><b>foo</b></p>');
});

test('the client throws an ApiError for a text that is not rendered', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"Not logged in","code":"BAD_REQUEST"}\n',
	);

	t.deepEqual(await refusalOf(t, client.renderMessage({content: 'x'})), {
		code: 'BAD_REQUEST',
		status: 400,
		reason: 'Not logged in',
		fields: {},
	});
});

test('the realm renders a text to the byte, and sends nothing', async t => {
	const alice = await signIn(t);
	const before = await alice.get('/api/v1/messages?anchor=newest&num_before=1');

	const answer = await alice.post('/api/v1/messages/render', 'content=**foo**+%3Cb%3E+%40**Bob+Birk**');

	expectSuccess(t, answer);
	t.is(
		answer.body,
		'{"result":"success","msg":"","rendered":"<p><strong>foo</strong> &lt;b&gt; <span class=\\"user-mention\\" data-user-id=\\"5\\">@Bob Birk</span></p>"}\n',
	);
	t.is((await alice.get('/api/v1/messages?anchor=newest&num_before=1')).body, before.body);
});

test('the realm renders as the message would be for its author: no channel that they may not see', async t => {
	const alice = await signIn(t);
	const {json} = await alice.post('/api/v1/messages/render', 'content=%23**staff**+%23**lunch**');

	t.is(
		at(json, 'rendered'),
		'<p>#<strong>staff</strong> <a class="stream" data-stream-id="2" href="/#narrow/channel/2-lunch">#lunch</a></p>',
	);
});

test('the realm names the parameters of a rendering that it does not know', async t => {
	const alice = await signIn(t);

	const {json} = await alice.post('/api/v1/messages/render', 'content=x&topic=y');

	t.deepEqual(at(json, 'ignored_parameters_unsupported'), ['topic']);
});

test('a rendering without text', refused, {
	ask: alice => alice.post('/api/v1/messages/render', ''),
	answer: missing('content'),
});
