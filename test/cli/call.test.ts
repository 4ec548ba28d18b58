// `bothy call` as an operator types it, against a real realm.

import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {signIn} from '../helpers/bothy.js';
import {openRealm} from '../helpers/realm.js';
import {runHere} from '../helpers/terminal.js';
import {httpAnswer, startRawServer} from '../wire/kit/raw-server.js';

const WRONG_KEY = 'abcdefghijklmnopqrstuvwxyz012345';

async function openHouse(t: ExecutionContext) {
	const realm = await openRealm(t);
	const {email, key} = realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'});
	const BOTHY_CONFIG_JSON = JSON.stringify({
		echo: {email, key, site: realm.url},
		wrong: {email: 'wrong@bothy.example', key: WRONG_KEY, site: realm.url},
	});
	const run = (...args: string[]) => runHere(['call', ...args], {env: {BOTHY_CONFIG_JSON}});
	return {realm, email, key, run};
}

test('a message from the terminal is posted as it is, never parsed as JSON', async t => {
	const {realm, email, run} = await openHouse(t);
	const alice = await signIn(t, realm.url, 'alice@bothy.example');

	const sent = await run(
		'sendMessage',
		'type=stream',
		'to=general',
		'topic=12',
		'content=a=1',
		'--as',
		email,
		'--json',
	);

	t.is(sent.code, 0, sent.output);
	const {id} = JSON.parse(sent.output) as {id: number};
	const {message} = await alice.getMessage({message_id: id, apply_markdown: false});
	t.like(message, {subject: '12', content: 'a=1', sender_email: email});
});

test('a list is a table with a line for each of its entries', async t => {
	const {run} = await openHouse(t);

	const {code, output} = await run('getStreams', 'include_all=true', '--as', 'echo');

	t.is(code, 0);
	t.regex(output, /^streams:\n.*stream_id.* name/);
	t.regex(output, /^.*\bgeneral\b/m);
});

test('an error of the service ends with 1, its code and its text, and without the key', async t => {
	const {run} = await openHouse(t);

	const {code, output} = await run('getStreams', '--as', 'wrong');

	t.is(code, 1);
	t.regex(output, /^bothy: getStreams was refused: .+ \([A-Z_]+, HTTP 401\)\n$/);
	t.false(output.includes(WRONG_KEY));
});

test('control characters in a text of the service are escaped', async t => {
	const refusal = '{"result":"error","msg":"No \\u001b[2J channel","code":"BAD_REQUEST"}';
	const server = await startRawServer(t, httpAnswer('400 Bad Request', refusal));
	const BOTHY_CONFIG_JSON = JSON.stringify({echo: {email: 'a@b', key: WRONG_KEY, site: server.url}});

	const {code, output} = await runHere(['call', 'getStreams'], {env: {BOTHY_CONFIG_JSON}});

	t.is(code, 1);
	t.is(output, 'bothy: getStreams was refused: No \uFFFD[2J channel (BAD_REQUEST, HTTP 400)\n');
});

test('a file is uploaded by its path, and the answer says where it is', async t => {
	const {realm, email, key, run} = await openHouse(t);
	const folder = await mkdtemp(join(tmpdir(), 'call-'));
	t.teardown(() => rm(folder, {recursive: true}));
	const path = join(folder, 'menu.txt');
	await writeFile(path, 'soup');

	const {code, output} = await run('uploadFile', `file=@${path}`, '--as', 'echo', '--json');

	t.is(code, 0, output);
	const {url, filename} = JSON.parse(output) as {url: string; filename: string};
	t.is(filename, 'menu.txt');
	const authorization = `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`;
	const file = await fetch(realm.url + url, {headers: {authorization}});
	t.is(await file.text(), 'soup');
});

const refused = test.macro({
	exec: async (t, args: readonly string[], expected: RegExp) => {
		const {run} = await openHouse(t);

		const {code, output} = await run(...args);

		t.is(code, 1);
		t.regex(output, expected);
	},
	title: (_, args: readonly string[]) => `refused before anything is sent: ${args.join(' ')}`,
});

test(refused, ['getStream'], /expected an operation, found "getStream"/);
test(refused, ['getMessage', '--as', 'echo'], /getMessage: expected message_id=…, found none/);
test(refused, ['getMessage', 'message_id=x', '--as', 'echo'], /message_id: expected integer, found something else/);
test(refused, ['getMessage', 'id=1', '--as', 'echo'], /one of the names message_id, .*found "id"/);
test(
	refused,
	['uploadFile', 'file=@/no/such/file', '--as', 'echo'],
	/file: expected @ and the path of a readable file/,
);
test(refused, ['uploadFile', 'file=menu.txt', '--as', 'echo'], /file: expected @ and the path of a readable file/);
test(refused, ['getStreams'], /--as: expected the name of one account: echo, wrong/);
test(refused, ['getStreams', '--as', 'nobody'], /--as: expected one of echo, wrong/);

test('after a 429, the command waits and calls again', async t => {
	const refusal = '{"result":"error","msg":"too many","code":"RATE_LIMIT_HIT","retry-after":0.2}';
	const server = await startRawServer(t, n =>
		n === 1
			? httpAnswer('429 Too Many Requests', refusal)
			: httpAnswer('200 OK', '{"result":"success","msg":"","id":7}'),
	);
	const BOTHY_CONFIG_JSON = JSON.stringify({echo: {email: 'a@b', key: WRONG_KEY, site: server.url}});

	const {code, output} = await runHere(['call', 'sendMessage', 'type=direct', 'to=[1]', 'content=x'], {
		env: {BOTHY_CONFIG_JSON},
	});

	t.deepEqual([code, output, server.count], [0, 'id: 7\n', 2]);
});

test('the list names each operation, and the help its parameters, without any account', async t => {
	const list = await runHere(['call', '--list']);
	const help = await runHere(['call', 'getStreams', '--help']);

	t.is(list.code, 0);
	t.regex(list.output, /^sendMessage +POST \/messages/m);
	t.is(help.code, 0);
	t.regex(help.output, /^GET \/streams, for people and bots\.$/m);
	t.regex(help.output, /^ {2}exclude_archived +boolean +optional; default true; since level 315 /m);
});

test('a person of the local realm calls by their email, and the people are named', async t => {
	const {realm, email, key} = await openHouse(t);
	const BOTHY_DATA = await mkdtemp(join(tmpdir(), 'bothy-call-'));
	t.teardown(() => rm(BOTHY_DATA, {recursive: true}));
	const section = `[echo]\nemail = ${email}\nkey = ${key}\nsite = ${realm.url}\ntoken = ${'t'.repeat(32)}\n`;
	await writeFile(join(BOTHY_DATA, 'realm.bothyrc'), section);
	const run = (as: string) => runHere(['call', 'getOwnUser', '--json', '--as', as], {env: {BOTHY_DATA}});

	const asAlice = await run('alice@bothy.example');
	t.is((JSON.parse(asAlice.output) as {full_name: string}).full_name, 'Alice Ahn', asAlice.output);
	const asNobody = await run('nobody@bothy.example');
	t.is(asNobody.code, 1);
	t.regex(
		asNobody.output,
		/^bothy: --as: expected an account \(echo\) or the email of somebody .*alice@bothy\.example/,
	);
	t.is((await run('echo')).code, 0);
});
