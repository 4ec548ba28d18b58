// `bothy start`: what it starts, dying and starting again. The tests share one start, in this order.

import {spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {chmod, mkdir, readdir, stat, writeFile} from 'node:fs/promises';
import {createServer, type Server} from 'node:net';
import {delimiter, join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {openAll, refuseInProduction} from '../../src/cli/commands.js';
import {openWeb} from '../../src/cli/web.js';
import {readSettings} from '../../src/config/settings.js';
import {type Host, pluginFolders} from '../../src/host/connections.js';
import {explain} from '../../src/host/explain.js';
import {createTeardown} from '../../src/host/teardown.js';
import {createLog} from '../../src/log.js';
import {type Bothy, CALM, dataFolder, runBothy, signIn, startBothy} from '../helpers/bothy.js';
import {browserTest} from '../helpers/browser.js';
import {fileScope} from '../helpers/file-scope.js';
import {freePort} from '../helpers/free-port.js';
import {runHere} from '../helpers/terminal.js';
import {talkOnThePage} from './on-the-page.js';

const EXAMPLES = ['Assistant', 'Dice', 'Echo', 'Lunch', 'Poll', 'Remind', 'Standup', 'Steward'];

const file = fileScope('bothy start');
let data = '';
let env: NodeJS.ProcessEnv = {};
let bothy: Bothy;

test.before(async () => {
	// As an earlier version may have made it: readable by everybody.
	const folder = await dataFolder(file);
	data = join(folder, 'data');
	await mkdir(data);
	await Promise.all(['realm.db', 'realm.json', 'realm.bothyrc'].map(name => writeFile(join(data, name), '')));
	await Promise.all([folder, data].map(each => chmod(each, 0o755)));
	// The second start takes the same ports.
	const [PORT, REALM_PORT] = [await freePort(), await freePort()].map(String);
	env = {PORT, REALM_PORT, REALM_FEATURE_LEVEL: '458', REALM_RATE_LIMIT: 'off'};
	bothy = await startBothy(file, {data, env});
});

async function askEcho(t: ExecutionContext, text: string): Promise<string> {
	const alice = await signIn(t, bothy.realmUrl, 'alice@bothy.example');
	const heard = await alice.listen();
	await alice.sendMessage({type: 'channel', to: 'general', topic: 'echo', content: `@**Echo** ${text}`});
	const answer = await heard.next(message => message.sender_email.startsWith('echo-bot@'));
	return answer.content;
}

browserTest('somebody opens the page, writes to each bot, and each answers once without a reload', t =>
	talkOnThePage(t, bothy.realmUrl),
);

test.serial('the local realm has all example bots, and the level and limits that the environment sets', async t => {
	const settings = await fetch(`${bothy.realmUrl}/api/v1/server_settings`);
	const {zulip_feature_level: level} = (await settings.json()) as {zulip_feature_level: number};
	const alice = await signIn(t, bothy.realmUrl, 'alice@bothy.example');
	for (let call = 0; call < 250; call += 1) {
		await alice.getOwnUser();
	}

	t.is(level, 458);
	const {members} = await alice.getUsers();
	const bots = members.filter(({bot_type: type}) => type === 3).map(({full_name: name}) => name);
	t.deepEqual(
		EXAMPLES.filter(name => !bots.includes(name)),
		[],
	);
});

test.serial('a command finds the accounts and the Redis of a start in the same folder', async t => {
	t.is(await askEcho(t, 'one'), 'one');

	const {code, output} = await runHere(['deliveries', '--bot', 'echo', '--limit', '1'], {
		env: {...env, BOTHY_DATA: data},
	});

	t.is(code, 0);
	t.regex(output, /^ARRIVED[^\n]*\n[^\n]* echo .* done {5}inline [^\n]*\n$/);
});

test.serial('another user of the machine can read nothing that is stored', async t => {
	const names = (await readdir(data, {recursive: true})).map(name => join(data, name));
	for (const name of ['realm.db', 'realm.json', 'realm.bothyrc', 'redis/redis.sock']) {
		t.true(names.includes(join(data, name)), name);
	}

	if (process.getuid?.() !== 0) {
		// Only root can become somebody else.
		const modes = await Promise.all(names.map(async name => (await stat(name)).mode & 0o077));
		t.deepEqual(new Set(modes), new Set([0]));
		return;
	}

	const program = `
		const {openSync} = require('node:fs');
		const {connect} = require('node:net');
		console.log(process.getuid());
		for (const name of process.argv.slice(1)) {
			try {
				openSync(name);
				console.log('opened ' + name);
			} catch {}
			connect(name).on('connect', () => process.exit(console.log('connected to ' + name))).on('error', () => {});
		}
	`;
	const nobody = {uid: 65_534, gid: 65_534, cwd: '/', encoding: 'utf8'} as const;
	t.is(spawnSync(process.execPath, ['-e', program, ...names], nobody).stdout, '65534\n');
});

test.serial('a second start says what is in use and by which process, and exits; the first continues', async t => {
	const second = await runBothy(['start'], {...env, BOTHY_DATA: data});

	t.is(second.code, 1);
	t.regex(second.output, new RegExp(`^bothy: Port ${env.REALM_PORT} .*process ${bothy.process.pid} \\(.*start\\)`));
	t.is(await askEcho(t, 'two'), 'two');
});

test.serial('after kill -9 of everything, the next start is clean and has all messages', async t => {
	bothy.process.kill('SIGKILL');
	await once(bothy.process, 'exit');
	bothy = await startBothy(file, {data, env});

	t.is(await askEcho(t, 'three'), 'three');
	const alice = await signIn(t, bothy.realmUrl, 'alice@bothy.example');
	const {messages} = await alice.getMessages({anchor: 'newest', num_before: 100, apply_markdown: false});
	const texts = messages.filter(({subject}) => subject === 'echo').map(({content}) => content);
	t.deepEqual(
		texts,
		['one', 'two', 'three'].flatMap(text => [`@**Echo** ${text}`, text]),
	);
});

test.serial('a start that is interrupted closes everything in order', async t => {
	t.is(await bothy.stop(), 0);
	t.notRegex(bothy.output(), /Error|fail/i);
});

/** What somebody reads who starts this with that environment. */
async function refusal(t: ExecutionContext, open: (host: Host) => Promise<void>, env: NodeJS.ProcessEnv) {
	const teardown = createTeardown(error => t.fail(String(error)));
	const settings = readSettings({...CALM, PORT: '0', REALM_PORT: '0', ...env});
	const error = await t.throwsAsync(open({settings, log: createLog({level: 'silent', pretty: false}), teardown}), {
		any: true,
	});
	await teardown.run();
	return explain(error);
}

const portOf = (server: Server): number => {
	const address = server.address();
	return typeof address === 'object' && address !== null ? address.port : 0;
};

for (const variable of ['PORT', 'REALM_PORT']) {
	test(`a port that another program uses is named with that program: ${variable}`, async t => {
		const stranger = createServer().listen(0, '127.0.0.1');
		await once(stranger, 'listening');
		t.teardown(() => stranger.close());
		const taken = String(portOf(stranger));

		const said = await refusal(t, openAll, {BOTHY_DATA: await dataFolder(t), [variable]: taken});

		t.regex(said, new RegExp(`^bothy: .*${taken}.*${process.platform === 'linux' ? `process ${process.pid}` : ''}`));
		t.regex(said, new RegExp(variable));
	});
}

test('a production environment gets no development realm', t => {
	t.throws(() => refuseInProduction({NODE_ENV: 'production'}), {
		message: /^NODE_ENV is "production".* `npx bothy web`/,
	});
	t.notThrows(() => refuseInProduction({}));
});

const ACCOUNT = {email: 'echo-bot@example.com', key: 'k'.repeat(32), site: 'https://chat.example.com'};

test('an account whose plugin does not exist stops the start, and the error names the plugins that do', async t => {
	const said = await refusal(t, openWeb, {
		BOTHY_CONFIG_JSON: JSON.stringify({dinner: {...ACCOUNT, token: 'secretsecretsecretsecretsecretse'}}),
	});

	const [, names = ''] =
		/^bothy: BOTHY_CONFIG_JSON\.dinner: \[dinner\]: expected a plugin `dinner` in bots\/ or BOTHY_BOTS, found only: ([^.]+)\./.exec(
			said,
		) ?? [];
	t.deepEqual(
		EXAMPLES.filter(name => !names.split(', ').includes(name.toLowerCase())),
		[],
		said,
	);
});

test('a folder of plugins that is named twice counts once', t => {
	const [examples = ''] = pluginFolders(readSettings(CALM));

	const BOTHY_BOTS = [`${examples}/`, 'more', './more'].join(delimiter);

	t.deepEqual(pluginFolders(readSettings({...CALM, BOTHY_BOTS})), [examples, 'more']);
});

test('a bot without a token stops the start, and the error says what the token is', async t => {
	const said = await refusal(t, openWeb, {BOTHY_CONFIG_JSON: JSON.stringify({echo: ACCOUNT})});

	t.regex(said, /^bothy: BOTHY_CONFIG_JSON\.echo: \[echo\]: expected `token`, found none\. .*zuliprc/);
});

test('without any account, a receiver says where to configure accounts, and exits', async t => {
	const {code, output} = await runBothy(['web'], {});

	t.is(code, 1);
	t.regex(output, /^bothy: Expected at least one bot account in bothyrc \(BOTHY_CONFIG\), found none/);
});

test('help lists every variable of the environment with its default', async t => {
	const {code, output} = await runHere(['--help']);

	t.is(code, 0);
	t.regex(output, /REALM_PORT\s+port of the local realm .*\(default: 8090\)/);
});
