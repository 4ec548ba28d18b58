// Starting, dying and starting again.

import {once} from 'node:events';
import {createServer, type Server} from 'node:net';
import test, {type ExecutionContext} from 'ava';
import {startOwnRedis} from '../faults/own-redis.js';
import {dataFolder, runBothy, signIn, startBothy, startCommand} from '../helpers/bothy.js';

/** Ports that were free a moment ago, for starts that must come back to the same ones. */
async function fixedPorts(t: ExecutionContext) {
	const servers = await Promise.all(
		[1, 2, 3].map(async () => {
			const server = createServer().listen(0, '127.0.0.1');
			await once(server, 'listening');
			return server;
		}),
	);
	const ports = servers.map(portOf);
	await Promise.all(servers.map(server => once(server.close(), 'close')));
	const [PORT, REALM_PORT, REDIS_PORT] = ports.map(String);
	return {data: await dataFolder(t), env: {PORT, REALM_PORT, REDIS_PORT}};
}

function portOf(server: Server): number {
	const address = server.address();
	return typeof address === 'object' && address !== null ? address.port : 0;
}

async function askEcho(t: ExecutionContext, realmUrl: string, text: string): Promise<string> {
	const alice = await signIn(t, realmUrl, 'alice@bothy.example');
	const heard = await alice.listen();
	await alice.sendMessage({type: 'channel', to: 'general', topic: 'bots', content: `@**Echo** ${text}`});
	const answer = await heard.next(message => message.sender_email.startsWith('echo-bot@'));
	return answer.content;
}

test.serial('after kill -9 of everything the next start is clean and keeps what was said', async t => {
	const options = await fixedPorts(t);
	const first = await startBothy(t, options);
	t.is(await askEcho(t, first.realmUrl, 'one'), 'one');

	first.process.kill('SIGKILL');
	await once(first.process, 'exit');
	const second = await startBothy(t, options);

	t.is(await askEcho(t, second.realmUrl, 'two'), 'two');
	const alice = await signIn(t, second.realmUrl, 'alice@bothy.example');
	const {messages} = await alice.getMessages({anchor: 'newest', num_before: 100, apply_markdown: false});
	const texts = messages.filter(({subject}) => subject === 'bots').map(({content}) => content);
	t.deepEqual(texts, ['@**Echo** one', 'one', '@**Echo** two', 'two']);
});

test.serial('a second start says what is taken and by whom, and exits; the first goes on', async t => {
	const options = await fixedPorts(t);
	const first = await startBothy(t, options);

	const second = await runBothy(['start'], {...options.env, BOTHY_DATA: options.data});

	t.is(second.code, 1);
	t.regex(second.output, new RegExp(`bothy start \\(process ${first.process.pid}\\)`));
	t.is(await askEcho(t, first.realmUrl, 'still here'), 'still here');
});

test.serial('the local realm has all example bots, and the level and limits that the environment says', async t => {
	const {realmUrl} = await startBothy(t, {env: {REALM_FEATURE_LEVEL: '458', REALM_RATE_LIMIT: 'off'}});

	const settings = await fetch(`${realmUrl}/api/v1/server_settings`);
	const {zulip_feature_level: level} = (await settings.json()) as {zulip_feature_level: number};
	const alice = await signIn(t, realmUrl, 'alice@bothy.example');
	for (let call = 0; call < 250; call += 1) {
		await alice.getOwnUser();
	}

	t.is(level, 458);
	const {members} = await alice.getUsers();
	const bots = members.filter(({bot_type: type}) => type === 3).map(({full_name: name}) => name);
	t.deepEqual(bots.toSorted(), ['Assistant', 'Dice', 'Echo', 'Lunch', 'Poll', 'Remind', 'Standup', 'Steward']);
});

test.serial('a port that a stranger holds is named with its holder', async t => {
	const stranger = createServer().listen(0, '127.0.0.1');
	await once(stranger, 'listening');
	t.teardown(() => stranger.close());
	const taken = String(portOf(stranger));
	const BOTHY_DATA = await dataFolder(t);

	for (const variable of ['PORT', 'REALM_PORT', 'REDIS_PORT']) {
		const env = {PORT: '0', REALM_PORT: '0', REDIS_PORT: '0', BOTHY_DATA, [variable]: taken};
		const {code, output} = await runBothy(['start'], env);

		t.is(code, 1);
		t.regex(output, new RegExp(`${taken}.*${process.platform === 'linux' ? `process ${process.pid}` : ''}`));
		t.regex(output, new RegExp(variable));
	}
});

test.serial('an account whose plugin does not exist stops the start and names those that do', async t => {
	const BOTHY_CONFIG_JSON = JSON.stringify({
		dinner: {email: 'dinner-bot@example.com', key: 'k'.repeat(32), site: 'https://chat.example.com', token: 'secret'},
	});

	const {code, output} = await runBothy(['web'], {
		BOTHY_CONFIG_JSON,
		BOTHY_DATA: await dataFolder(t),
		PORT: '0',
		REDIS_PORT: '0',
	});

	t.is(code, 1);
	t.regex(
		output,
		/^bothy: \[dinner\]: expected a plugin `dinner` in bots\/ or BOTHY_BOTS, found only: assistant, dice, echo, lunch, poll, remind, standup, steward\./,
	);
});

test.serial('a bot without a token stops the start and says what the token is', async t => {
	const BOTHY_CONFIG_JSON = JSON.stringify({
		echo: {email: 'echo-bot@example.com', key: 'k'.repeat(32), site: 'https://chat.example.com'},
		alice: {email: 'alice@example.com', key: 'k'.repeat(32), site: 'https://chat.example.com'},
	});

	const {code, output} = await runBothy(['web'], {BOTHY_CONFIG_JSON, BOTHY_DATA: await dataFolder(t), PORT: '0'});

	t.is(code, 1);
	t.regex(output, /^bothy: \[echo\]: expected `token`, found none\. .*zuliprc/);
});

test.serial('without any account a receiver says where accounts come from', async t => {
	const {code, output} = await runBothy(['web'], {BOTHY_DATA: await dataFolder(t), BOTHY_CONFIG: ''});

	t.is(code, 1);
	t.regex(output, /Expected at least one bot account in bothyrc \(BOTHY_CONFIG\), found none/);
});

test.serial('help lists every variable of the environment with its default', async t => {
	const {code, output} = await runBothy(['--help'], {});

	t.is(code, 0);
	t.regex(output, /REALM_PORT\s+port of the local realm .*\(default: 8090\)/);
});

test.serial('a worker stops when it is told to, also while Redis is away', async t => {
	t.timeout(60_000);
	const folder = await dataFolder(t);
	const redis = await startOwnRedis(folder);
	const account = {email: 'a@chat.example.com', key: 'k'.repeat(32), site: 'http://127.0.0.1:9'};
	const env = {BOTHY_CONFIG_JSON: JSON.stringify({a: account}), REDIS_URL: redis.url, BOTHY_DATA: folder};
	const worker = await startCommand(t, 'worker', {env, ready: /(Worker)/});
	await redis.stop();

	worker.process.kill('SIGTERM');

	t.deepEqual(await once(worker.process, 'exit'), [1, null]);
	t.regex(worker.output(), /not everything could be closed in time; is Redis away\?/);
});
