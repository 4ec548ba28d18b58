import test, {type ExecutionContext} from 'ava';
import {startRealm} from '../../../src/realm/index.js';
import {clientCalls} from '../kit/client-calls.js';
import {clientAnswered} from '../kit/raw-client.js';
import {
	at,
	badRequest,
	type Caller,
	expectRefusal,
	NOT_LOGGED_IN,
	openRealm,
	type RawAnswer,
	sendRequest,
	signIn,
} from '../kit/raw-request.js';
import {temporaryFile} from '../kit/scheduled-kit.js';
import {answers, like, play, refusal, type Step, story} from '../kit/story.js';

/** One part of a multipart form, to the byte. */
const filePart = (name: string, bytes: string, type = 'text/plain') => [
	'--frontier',
	`Content-Disposition: form-data; name="filename"; filename="${name}"`,
	`Content-Type: ${type}`,
	'',
	bytes,
];
const MENU = filePart('menu.txt', 'soup');

const upload = (caller: Caller, parts: readonly string[]): Promise<RawAnswer> =>
	caller.post('/api/v1/user_uploads', [...parts, '--frontier--', ''].join('\r\n'), [
		'Content-Type: multipart/form-data; boundary=frontier',
	]);

/** Alice uploads her menu; `$url` is where it is, `$path` the same without `/user_uploads/`. */
const UPLOAD: Step = async (_, {who, names}) => {
	const url = String(at((await upload(await who('alice'), MENU)).json, 'url'));
	names.set('url', url).set('path', url.replace('/user_uploads/', ''));
};
const opens =
	(name: string): Step =>
	async (t, {who, names}) =>
		t.is((await (await who(name)).get(String(names.get('url')))).body, 'soup');
const opensWithoutLogin =
	(name: string, body: string): Step =>
	async (t, {realm, names}) =>
		t.is((await sendRequest(realm.url, `GET ${names.get(name)}`)).body, body);
const FORBIDDEN = refusal('403 Forbidden', 'You are not authorized to view this file.');
const TO_BOB = 'alice POST /api/v1/messages type=direct&to=[5]&content';

test('uploadFile: the client writes a multipart form with one file, its name, type and bytes', async t => {
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
	t.like(answer, {url: '/user_uploads/1/4e/m2A3MSqFnWRLUf9SaPzQ0Up_/menu.txt', filename: 'menu.txt'});
});

test('uploadFile: the client reads the answer of a server that says only `uri`', async t => {
	const {client} = await clientAnswered(t, '{"result":"success","msg":"","uri":"/user_uploads/1/4e/m2A3/menu.txt"}\n');

	t.like(await client.uploadFile({file: new File(['x'], 'menu.txt')}), {
		uri: '/user_uploads/1/4e/m2A3/menu.txt',
		url: undefined,
	});
});

test('uploadFile: the realm keeps a file to the byte, and names parameters that it does not know', async t => {
	const alice = await signIn(t);
	const colour = ['--frontier', 'Content-Disposition: form-data; name="colour"', '', 'red'];

	const {json} = await upload(alice, [...filePart('my menu.txt', 'soup\r\n\0breäd'), ...colour]);

	const url = String(at(json, 'url'));
	t.regex(url, /^\/user_uploads\/1\/[0-9a-f]{2}\/[\w-]{24}\/my-menu\.txt$/);
	t.deepEqual(json, {
		result: 'success',
		msg: '',
		uri: url,
		url,
		filename: 'my menu.txt',
		ignored_parameters_unsupported: ['colour'],
	});
	const file = await alice.get(url);
	t.is(file.statusLine, 'HTTP/1.1 200 OK');
	t.is(file.body, 'soup\r\n\0breäd');
	t.is(file.headers['content-type'], 'text/plain; charset=utf-8');
	t.is(file.headers['content-disposition'], 'inline; filename="my menu.txt"');
});

story('uploadFile', 'opens a file to those who may read a message that links to it, and to nobody else', [
	UPLOAD,
	['bob GET $url', FORBIDDEN],
	[`${TO_BOB}=[menu]($url)`],
	opens('bob'),
	['olivia GET $url', FORBIDDEN],
	// A link from somebody who may not read the file opens nothing; its readers may pass it on.
	['olivia POST /api/v1/messages type=direct&to=[1]&content=$url'],
	['olivia GET $url', FORBIDDEN],
	['bob POST /api/v1/messages type=direct&to=[1]&content=This is $url.'],
	opens('olivia'),
]);

story('uploadFile', 'closes a file with its message, and an edit names the files that no message shows any more', [
	UPLOAD,
	[`${TO_BOB}=$url`, like({id: '$first'})],
	[`${TO_BOB}=$url`, like({id: '$second'})],
	['alice PATCH /api/v1/messages/$first content=nothing', {detached_uploads: []}],
	opens('bob'),
	[
		'alice PATCH /api/v1/messages/$second content=nothing',
		like({detached_uploads: [like({name: 'menu.txt', path_id: '$path', size: 4, messages: []})]}),
	],
	['bob GET $url', FORBIDDEN],
	opens('alice'),
	[`${TO_BOB}=$url`, like({id: '$third'})],
	['alice DELETE /api/v1/messages/$third', {}],
	['bob GET $url', FORBIDDEN],
]);

test('uploadFile: files outlive the realm', async t => {
	const file = await temporaryFile(t);
	const first = await startRealm({file, port: 0});
	const url = at((await upload(await signIn(t, 'alice', first), MENU)).json, 'url');
	await first.close();

	await play(t, [(_, {names}) => names.set('url', url), opens('alice')], {file});
});

async function headersOf(t: ExecutionContext, ...part: Parameters<typeof filePart>) {
	const alice = await signIn(t);
	const url = String(at((await upload(alice, filePart(...part))).json, 'url'));
	return (await alice.get(url)).headers;
}

test('uploadFile: the realm lets a browser save, not show, what it might run', async t => {
	t.like(await headersOf(t, 'page.html', '<script>alert(1)</script>', 'text/html'), {
		'content-disposition': 'attachment; filename="page.html"',
		'content-security-policy': "default-src 'none'; sandbox",
		'x-content-type-options': 'nosniff',
	});
});

test('uploadFile: the realm takes the type of a file from its name, and replaces a name without letters', async t => {
	const BYTES = 'application/octet-stream';

	t.is((await headersOf(t, 'cat.png', 'x', BYTES))['content-type'], 'image/png');
	t.is((await headersOf(t, 'cat.catfile', 'x', BYTES))['content-type'], BYTES);
	t.regex(String(at((await upload(await signIn(t), filePart('../..', 'x'))).json, 'url')), /\/uploaded-file$/);
});

test('uploadFile: the realm gives no file without login, and sends a browser to its page', async t => {
	const realm = await openRealm(t);
	const url = String(at((await upload(await signIn(t, 'alice', realm), MENU)).json, 'url'));
	const anonymous = (accept: string) => sendRequest(realm.url, `GET ${url}`, [`Accept: ${accept}`]);

	expectRefusal(t, await anonymous('*/*'), NOT_LOGGED_IN);
	t.is((await anonymous('text/html')).statusLine, 'HTTP/1.1 302 Found');
});

const UNKNOWN = refusal('404 Not Found', 'File not found.');

answers('uploadFile', {
	'refuses a form without file': ['alice POST /api/v1/user_uploads file=menu.txt', 'You must specify a file to upload'],
	'knows no file that nobody uploaded': ['alice GET /user_uploads/1/00/none/menu.txt', UNKNOWN],
	'knows no file whose path is broken': ['alice GET /user_uploads/%FF', UNKNOWN],
});

test('uploadFile: the realm refuses two files at once, and of one name takes the last', async t => {
	const alice = await signIn(t);
	const second = filePart('b.txt', 'b');
	const other = second.map(line => line.replace('name="filename"', 'name="other"'));

	const refused = await upload(alice, [...filePart('a.txt', 'a'), ...other]);
	const taken = await upload(alice, [...filePart('a.txt', 'a'), ...second]);

	expectRefusal(t, refused, badRequest('You may only upload one file at a time'));
	t.like(taken.json, {filename: 'b.txt'});
});

test('uploadFile: a name loses the folder where the file was', async t => {
	const alice = await signIn(t);
	for (const [name, filename, end] of [
		['../../etc/passwd', 'passwd', /\/passwd$/],
		['a/b c?d#e.png', 'b c?d#e.png', /\/b-cde\.png$/],
	] as const) {
		const {json} = await upload(alice, filePart(name, 'x'));
		t.is(at(json, 'filename'), filename);
		t.regex(String(at(json, 'url')), end);
	}
});

const ATTACHMENT = {
	id: 1,
	name: 'menu.txt',
	path_id: '$path',
	size: 4,
	create_time: '<integer>',
	messages: [],
} as const;

story('getAttachments', "lists one's own files with the messages that show them", [
	{listen: 'alice', to: 'attachment'},
	UPLOAD,
	{heard: 'alice', events: [{type: 'attachment', op: 'add', attachment: ATTACHMENT, upload_space_used: 4}]},
	['alice GET /api/v1/attachments', {attachments: [ATTACHMENT], upload_space_used: 4}],
	[`${TO_BOB}=$url`, like({id: '$message'})],
	[
		'alice GET /api/v1/attachments',
		like({attachments: [like({messages: [{id: '$message', date_name: '<integer>'}]})]}),
	],
	['bob GET /api/v1/attachments', {attachments: [], upload_space_used: 4}],
	['nobody GET /api/v1/attachments', refusal('401 Unauthorized', NOT_LOGGED_IN.json.msg, {code: 'UNAUTHORIZED'})],
]);

story('removeAttachment', "deletes one's own files, nobody else's", [
	UPLOAD,
	[`${TO_BOB}=$url`],
	{listen: 'alice', to: 'attachment'},
	['bob DELETE /api/v1/attachments/1', 'Invalid attachment'],
	['olivia DELETE /api/v1/attachments/1', 'Invalid attachment'],
	opens('bob'),
	['alice DELETE /api/v1/attachments/1', {}],
	{heard: 'alice', events: [{type: 'attachment', op: 'remove', attachment: {id: 1}, upload_space_used: 0}]},
	['alice DELETE /api/v1/attachments/1', 'Invalid attachment'],
	['alice GET $url', UNKNOWN],
	['alice GET /api/v1/attachments', {attachments: [], upload_space_used: 0}],
]);

story('getFileTemporaryUrl', 'opens a file without login for a minute, to those who may read it', [
	UPLOAD,
	['bob GET /api/v1$url', FORBIDDEN],
	['alice GET /api/v1/user_uploads/1/00/none/menu.txt', UNKNOWN],
	['alice GET /api/v1$url', {url: '$temporary'}],
	(t, {names}) => t.regex(String(names.get('temporary')), /^\/user_uploads\/temporary\/[\w-]+\.[\w-]+\/menu\.txt$/),
	opensWithoutLogin('temporary', 'soup'),
	async (t, {realm, names}) => {
		const url = String(names.get('temporary'));
		for (const [wrong, msg] of [
			[url.replace('/menu.txt', '/other.txt'), 'Invalid filename'],
			[url.replace(/\.[\w-]{4}/, '.AAAA'), 'Invalid token'],
			['/user_uploads/temporary/x/menu.txt', 'Invalid token'],
		] as const) {
			expectRefusal(t, await sendRequest(realm.url, `GET ${wrong}`), badRequest(msg));
		}
	},
	{advanceMs: 60_000},
	async (t, {realm, names}) =>
		expectRefusal(t, await sendRequest(realm.url, `GET ${names.get('temporary')}`), badRequest('Invalid token')),
]);

for (const [featureLevel, ...fields] of [
	[168, 'uri'],
	[272, 'uri', 'url'],
] as const) {
	test(`uploadFile: the realm answers ${fields.join(' and ')} alone at feature level ${featureLevel}`, async t => {
		const {json} = await upload(await signIn(t, 'alice', await openRealm(t, {featureLevel})), MENU);

		t.deepEqual(Object.keys(Object(json)), ['result', 'msg', ...fields]);
	});
}

test('uploadFile: the realm takes ten MiB at once, not a byte more, and fifty in all', async t => {
	const alice = await signIn(t);
	const MIB = 1024 * 1024;
	const big = (size: number) => upload(alice, filePart('big.txt', 'x'.repeat(size)));
	const tooLarge = badRequest('Uploaded file is larger than the allowed limit of 10 MiB');

	expectRefusal(t, await big(10 * MIB + 1), tooLarge);
	expectRefusal(t, await big(11 * MIB), tooLarge);
	for (let n = 1; n <= 5; n += 1) {
		t.like((await big(10 * MIB)).json, {result: 'success'});
	}

	const msg = "Upload would exceed your organization's upload quota.";
	expectRefusal(t, await big(1), {status: '400 Bad Request', json: {result: 'error', msg, code: 'REALM_UPLOAD_QUOTA'}});
});

clientCalls('getFileTemporaryUrl', {
	'writes the rest of the link as one part of the path': [
		{realm_id_str: 1, filename: '4e/m2/a b.txt'},
		'GET /api/v1/user_uploads/1/4e%2Fm2%2Fa%20b.txt',
		'"url":"/user_uploads/temporary/x/a b.txt"',
	],
});

clientCalls('getAttachments', {
	'reads files': [
		{},
		'GET /api/v1/attachments',
		'"upload_space_used":4,"attachments":[{"id":1,"name":"a","path_id":"1/b/a",' +
			'"size":4,"create_time":1588145417000,"messages":[{"id":5,"date_name":1588145417000}]}]',
	],
});

clientCalls('removeAttachment', {
	'writes the ID in the path': [{attachment_id: 7}, 'DELETE /api/v1/attachments/7'],
});
