// `bothy dev` while debugging: local settings, a debugger, and a terminal that is closed.

import {once} from 'node:events';
import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import test from 'ava';
import {dataFolder, signIn, startCommand} from '../helpers/bothy.js';

const FACE = fileURLToPath(new URL('../../src/index.js', import.meta.url));

const greeter = `
import {bot, z} from ${JSON.stringify(FACE)};
export default bot({about: 'Greets', config: z.object({word: z.string()})})
	.on('direct_message', ctx => ctx.reply(ctx.config.word));
`;

test('dev debugs bots in one process, skips bots without their config, and ends with its terminal', async t => {
	t.timeout(120_000);
	const folder = await dataFolder(t);
	await mkdir(join(folder, 'bots'));
	await writeFile(join(folder, 'package.json'), '{"type": "module"}');
	await writeFile(join(folder, 'bots', 'greeter.mjs'), greeter);
	await writeFile(join(folder, 'bots', 'greeter.config.json'), '{"word": "from the file"}');
	await writeFile(join(folder, 'bots', 'lacking.mjs'), greeter);
	const env = {PORT: '0', REALM_PORT: '0', REDIS_PORT: '0', BOTHY_DATA: join(folder, 'data'), LOG_LEVEL: 'warn'};
	const dev = await startCommand(t, 'dev', {args: ['--inspect', '0'], env, ready: /(Ctrl-C)/, cwd: folder});

	const debuggerUrl = new URL(await dev.find(/Debugger listening on (ws:\S+)/));
	const targets = (await (await fetch(`http://${debuggerUrl.host}/json/list`)).json()) as unknown[];
	t.is(targets.length, 1);
	await dev.find(
		/Left out {3}(lacking): bots\/lacking\.config\.json: `config\.word` is missing\. Set it there, or in BOTHY_CONFIG_LACKING_WORD/,
	);
	t.is(await dev.find(/Bots {7}([\w, ]+)/), 'greeter');
	const alice = await signIn(t, await dev.find(/Chat page\s+(http:\S+)/), 'alice@bothy.example');
	const {members} = await alice.getUsers();
	const heard = await alice.listen();
	const greeterId = members.find(({full_name: name}) => name === 'Greeter')?.user_id ?? 0;
	await alice.sendMessage({type: 'direct', to: [greeterId], content: 'hello'});
	t.is((await heard.next(({sender_email: sender}) => sender.startsWith('greeter'))).content, 'from the file');

	dev.process.kill('SIGHUP');
	const [code] = await once(dev.process, 'exit');
	t.is(code, 0);
});
