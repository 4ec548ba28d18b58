// `bothy realm`: the realm and its page alone, for bots of another host.

import {once} from 'node:events';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {text as readAll} from 'node:stream/consumers';
import test from 'ava';
import {dataFolder, runBothy, signIn, startCommand} from '../helpers/bothy.js';

test('`bothy realm --bot` creates a bot whose webhooks go to the URL, and its wire is recorded', async t => {
	const server = createServer(async (request, response) => {
		const {message} = JSON.parse(await readAll(request));
		response.setHeader('content-type', 'application/json').end(JSON.stringify({content: `Got ${message.id}`}));
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	t.teardown(() => server.close());
	// A server that listens on a TCP port.
	const {port} = server.address() as AddressInfo;
	const data = await dataFolder(t);
	const {found: url} = await startCommand(t, 'realm', {
		args: ['--bot', `lunch=http://127.0.0.1:${port}/hook`],
		env: {REALM_PORT: '0', BOTHY_DATA: data},
		ready: /Chat page\s+(http:\S+)/,
	});
	const alice = await signIn(t, url, 'alice@bothy.example');
	const heard = await alice.listen();

	const {id} = await alice.sendMessage({type: 'channel', to: 'general', topic: 'food', content: '@**Lunch** hi'});

	const answer = await heard.next(({content}) => content.startsWith('Got'));
	t.is(answer.content, `Got ${id}`);
	const response = await fetch(`${url}/dev/exchanges?message_id=${id}`);
	const {exchanges} = (await response.json()) as {exchanges: {kind: string; bot: {full_name: string}}[]};
	t.deepEqual(
		exchanges.map(({kind, bot}) => [kind, bot.full_name]),
		[['webhook', 'Lunch']],
	);
});

test('`bothy realm --bot` says what it expected instead of a wrong value', async t => {
	const {code, output} = await runBothy(['realm', '--bot', 'Lunch'], {BOTHY_DATA: await dataFolder(t)});

	t.is(code, 1);
	t.regex(output, /--bot: expected a name in lower case and the URL for its webhooks, .* found "Lunch"/);
});
