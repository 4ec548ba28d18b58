import test from 'ava';
import {startRealm} from '../../src/realm/index.js';
import {clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {
	at,
	badRequest,
	type Caller,
	expectRefusal,
	expectSuccess,
	type Json,
	openRealm,
	type RawAnswer,
	sendLines,
	signIn,
} from './raw-request.js';
import {refused} from './refused.js';
import {temporaryFile} from './scheduled-kit.js';

/** One part of a multipart form, to the byte. */
const filePart = (name: string, bytes: string, type = 'text/plain') => [
	'--frontier',
	`Content-Disposition: form-data; name="filename"; filename="${name}"`,
	`Content-Type: ${type}`,
	'',
	bytes,
];

const upload = (caller: Caller, parts: readonly string[]) =>
	caller.post('/api/v1/user_uploads', [...parts, '--frontier--', ''].join('\r\n'), [
		'Content-Type: multipart/form-data; boundary=frontier',
	]);

async function uploaded(caller: Caller, parts: readonly string[]): Promise<string> {
	return String(at((await upload(caller, parts)).json, 'url'));
}

const fetchAs = (caller: Caller, url: string, headers: readonly string[] = []): Promise<RawAnswer> =>
	caller.get(url, headers);

const say = (caller: Caller, form: string) => caller.post('/api/v1/messages', form);

test('the client writes a multipart form with one file, its name, type and bytes', async t => {
	const {client, server} = await clientAnswered(
		t,
		'{"result":"success","msg":"","uri":"/user_uploads/1/4e/m2A3MSqFnWRLUf9SaPzQ0Up_/menu.txt","url":"/user_uploads/1/4e/m2A3MSqFnWRLUf9SaPzQ0Up_/menu.txt","filename":"menu.txt"}\n',
	);

	const answer = await client.uploadFile({file: new File(['soup & breäd'], 'menu.txt', {type: 'text/plain'})});

	const {line, headers, body} = await server.request();
	t.is(line, 'POST /api/v1/user_uploads HTTP/1.1');
	const boundary = /^multipart\/form-data; boundary=([\w-]+)$/.exec(headers['content-type'] ?? '')?.[1];
	t.is(
		body,
		`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="menu.txt"\r\nContent-Type: text/plain\r\n\r\nsoup & breäd\r\n--${boundary}--\r\n`,
	);
	t.is(answer.url, '/user_uploads/1/4e/m2A3MSqFnWRLUf9SaPzQ0Up_/menu.txt');
	t.is(answer.filename, 'menu.txt');
});

test('the client reads the answer of a server that says only `uri`', async t => {
	const {client} = await clientAnswered(t, '{"result":"success","msg":"","uri":"/user_uploads/1/4e/m2A3/menu.txt"}\n');

	t.like(await client.uploadFile({file: new File(['x'], 'menu.txt')}), {
		uri: '/user_uploads/1/4e/m2A3/menu.txt',
		url: undefined,
	});
});

test('the client throws an ApiError for an upload that has no room', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"Upload would exceed your organization\'s upload quota.","code":"REALM_UPLOAD_QUOTA"}\n',
	);

	t.deepEqual(await refusalOf(t, client.uploadFile({file: new File(['x'], 'menu.txt')})), {
		code: 'REALM_UPLOAD_QUOTA',
		status: 400,
		reason: "Upload would exceed your organization's upload quota.",
		fields: {},
	});
});

test('the realm keeps a file and gives it back to whoever uploaded it, to the byte', async t => {
	const alice = await signIn(t);

	const answer = await upload(alice, filePart('my menu.txt', 'soup\r\n\0breäd'));

	expectSuccess(t, answer);
	const url = String(at(answer.json, 'url'));
	t.regex(url, /^\/user_uploads\/1\/[0-9a-f]{2}\/[\w-]{24}\/my-menu\.txt$/);
	t.deepEqual(answer.json, {result: 'success', msg: '', uri: url, url, filename: 'my menu.txt'});
	const file = await fetchAs(alice, url);
	t.is(file.statusLine, 'HTTP/1.1 200 OK');
	t.is(file.body, 'soup\r\n\0breäd');
	t.is(file.headers['content-type'], 'text/plain; charset=utf-8');
	t.is(file.headers['content-disposition'], 'inline; filename="my menu.txt"');
});

test('a file is open to those who may read a message that links to it, and to nobody else', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const olivia = await signIn(t, 'olivia', realm);
	const url = await uploaded(alice, filePart('menu.txt', 'soup'));
	t.is((await fetchAs(bob, url)).statusLine, 'HTTP/1.1 403 Forbidden');

	await say(alice, `type=direct&to=[${bob.userId}]&content=[menu](${url})`);

	t.is((await fetchAs(bob, url)).body, 'soup');
	expectRefusal(t, await fetchAs(olivia, url), {
		status: '403 Forbidden',
		json: {result: 'error', msg: 'You are not authorized to view this file.', code: 'BAD_REQUEST'},
	});
});

test("nobody opens somebody else's file by linking to it, but its readers may hand it on", async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const olivia = await signIn(t, 'olivia', realm);
	const url = await uploaded(alice, filePart('menu.txt', 'soup'));
	await say(olivia, `type=direct&to=[${olivia.userId}]&content=${url}`);
	t.is((await fetchAs(olivia, url)).statusLine, 'HTTP/1.1 403 Forbidden');
	await say(alice, `type=direct&to=[${bob.userId}]&content=${url}`);

	await say(bob, `type=direct&to=[${olivia.userId}]&content=This is ${url}.`);

	t.is((await fetchAs(olivia, url)).body, 'soup');
});

test('a file closes with its message, and an edit tells its author what no message shows any more', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const url = await uploaded(alice, filePart('menu.txt', 'soup'));
	const {json} = await say(alice, `type=direct&to=[${bob.userId}]&content=${url}`);
	t.is((await fetchAs(bob, url)).body, 'soup');

	const edited = await alice.patch(`/api/v1/messages/${at(json, 'id')}`, 'content=nothing');

	const [detached] = at(edited.json, 'detached_uploads') as Json[];
	t.like(detached, {
		name: 'menu.txt',
		path_id: url.replace('/user_uploads/', ''),
		size: 4,
		messages: [],
	});
	t.is((await fetchAs(bob, url)).statusLine, 'HTTP/1.1 403 Forbidden');
	t.is((await fetchAs(alice, url)).body, 'soup');
	const again = await say(alice, `type=direct&to=[${bob.userId}]&content=${url}`);
	await alice.delete(`/api/v1/messages/${at(again.json, 'id')}`, '');
	t.is((await fetchAs(bob, url)).statusLine, 'HTTP/1.1 403 Forbidden');
});

test('a file that another message still shows is not detached', async t => {
	const alice = await signIn(t);
	const url = await uploaded(alice, filePart('menu.txt', 'soup'));
	const {json} = await say(alice, `type=channel&to=lunch&topic=x&content=${url}`);
	await say(alice, `type=channel&to=lunch&topic=x&content=${url}`);

	const edited = await alice.patch(`/api/v1/messages/${at(json, 'id')}`, 'content=nothing');

	t.deepEqual(at(edited.json, 'detached_uploads'), []);
});

test('files outlive the realm', async t => {
	const file = await temporaryFile(t);
	const first = await startRealm({file, port: 0});
	const url = await uploaded(await signIn(t, 'alice', first), filePart('menu.txt', 'soup'));
	await first.close();

	const alice = await signIn(t, 'alice', await openRealm(t, {file}));

	t.is((await fetchAs(alice, url)).body, 'soup');
});

test('what a browser might run is saved, never shown, and may do nothing', async t => {
	const alice = await signIn(t);
	const url = await uploaded(alice, filePart('page.html', '<script>alert(1)</script>', 'text/html'));

	const {headers} = await fetchAs(alice, url);

	t.is(headers['content-disposition'], 'attachment; filename="page.html"');
	t.is(headers['content-security-policy'], "default-src 'none'; sandbox");
	t.is(headers['x-content-type-options'], 'nosniff');
});

test('a file without a type of its own gets that of its name, and a name without letters another', async t => {
	const alice = await signIn(t);
	const picture = await uploaded(alice, filePart('cat.png', 'x', 'application/octet-stream'));
	const nameless = await uploaded(alice, filePart('../..', 'x'));
	const odd = await uploaded(alice, filePart('cat.catfile', 'x', 'application/octet-stream'));

	t.is((await fetchAs(alice, picture)).headers['content-type'], 'image/png');
	t.is((await fetchAs(alice, odd)).headers['content-type'], 'application/octet-stream');
	t.regex(nameless, /\/uploaded-file$/);
});

test('the realm gives no file without login, and sends a browser to its page', async t => {
	const realm = await openRealm(t);
	const url = await uploaded(await signIn(t, 'alice', realm), filePart('menu.txt', 'soup'));
	const anonymous = (accept: string) =>
		sendLines(realm.url, [`GET ${url} HTTP/1.1`, 'Host: 127.0.0.1', `Accept: ${accept}`, 'Connection: close', '', '']);

	const refusal = await anonymous('*/*');
	expectRefusal(t, refusal, {
		status: '401 Unauthorized',
		json: {
			result: 'error',
			msg: 'Not logged in: API authentication or user session required',
			code: 'UNAUTHORIZED',
		},
	});
	t.is(refusal.headers['www-authenticate'], 'Basic realm="zulip"');
	t.is((await anonymous('text/html')).statusLine, 'HTTP/1.1 302 Found');
});

test('the realm knows no file that was not uploaded', async t => {
	const alice = await signIn(t);
	const missing = {
		status: '404 Not Found',
		json: {result: 'error', msg: 'File not found.', code: 'BAD_REQUEST'},
	};

	expectRefusal(t, await fetchAs(alice, '/user_uploads/1/00/none/menu.txt'), missing);
	expectRefusal(t, await fetchAs(alice, '/user_uploads/%FF'), missing);
});

test('older realms say less of an upload', async t => {
	const fields = async (featureLevel: number) => {
		const alice = await signIn(t, 'alice', await openRealm(t, {featureLevel}));
		return Object.keys(Object((await upload(alice, filePart('menu.txt', 'soup'))).json));
	};

	t.deepEqual(await fields(168), ['result', 'msg', 'uri']);
	t.deepEqual(await fields(272), ['result', 'msg', 'uri', 'url']);
});

const MIB = 1024 * 1024;

test('the realm takes ten MiB at once, not a byte more, and fifty in all', async t => {
	const alice = await signIn(t);
	const most = filePart('big.txt', 'x'.repeat(10 * MIB));
	const tooLarge = badRequest('Uploaded file is larger than the allowed limit of 10 MiB');

	expectRefusal(t, await upload(alice, filePart('big.txt', 'x'.repeat(10 * MIB + 1))), tooLarge);
	expectRefusal(t, await upload(alice, filePart('big.txt', 'x'.repeat(11 * MIB))), tooLarge);
	for (let n = 1; n <= 5; n += 1) {
		expectSuccess(t, await upload(alice, most));
	}

	expectRefusal(t, await upload(alice, filePart('small.txt', 'x')), {
		status: '400 Bad Request',
		json: {
			result: 'error',
			msg: "Upload would exceed your organization's upload quota.",
			code: 'REALM_UPLOAD_QUOTA',
		},
	});
});

test('the realm names the parameters of an upload that it does not know', async t => {
	const alice = await signIn(t);
	const colour = ['--frontier', 'Content-Disposition: form-data; name="colour"', '', 'red'];

	const {json} = await upload(alice, [...filePart('menu.txt', 'soup'), ...colour]);

	t.deepEqual(at(json, 'ignored_parameters_unsupported'), ['colour']);
});

test('an upload of nothing', refused, {
	ask: alice => alice.post('/api/v1/user_uploads', 'file=menu.txt'),
	answer: badRequest('You must specify a file to upload'),
});
test('two files at once', refused, {
	ask: alice => upload(alice, [...filePart('a.txt', 'a'), ...filePart('b.txt', 'b')]),
	answer: badRequest('You may only upload one file at a time'),
});
