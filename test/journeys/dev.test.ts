// `bothy dev` in a repository of somebody's own, from its first bot on.

import {mkdir, symlink, writeFile} from 'node:fs/promises';
import {dirname, join, resolve} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import test, {type ExecutionContext} from 'ava';
import {dataFolder, signIn, startCommand} from '../helpers/bothy.js';
import {startRedis} from '../helpers/redis.js';
import {until} from '../helpers/until.js';
import {openTalk, poster} from './posters.js';

const ENV = {PORT: '0', REALM_PORT: '0', REALM_RATE_LIMIT: 'off', LOG_LEVEL: 'warn'};
const NOBODY =
	'[nobody]\nemail=a@example.com\nkey=k\nsite=https://chat.example.com\ntoken=tttttttttttttttttttttttttttttttt\n';

const asker = (version: string) => `
	import {bot, z} from 'bothy';

	export default bot({about: 'Asks', perMinute: 0})
		.command('version', {about: 'Tell the version'}, ctx => ctx.reply('${version}'))
		.command('ask', {about: 'Ask'}, ctx => ctx.ask('number', 'How many?'))
		.answer('number', z.coerce.number().int(), (ctx, number) => ctx.reply(\`\${number} for ${version}\`));
`;

const LUNCH = `
	import {bot} from 'bothy';
	export default bot({about: 'x'}).on('direct_message', ctx => ctx.reply('Hello!'));
`;

const COMPILER = {target: 'es2023', module: 'nodenext', types: [], strict: true, skipLibCheck: true};

/** A repository that finds this package and all others of ours. */
async function linked(t: ExecutionContext) {
	const folder = await dataFolder(t);
	const write = async (name: string, text: string) => {
		await mkdir(dirname(join(folder, name)), {recursive: true});
		await writeFile(join(folder, name), text);
	};
	await write('package.json', '{"type": "module"}');
	// Without it these would be our examples.
	await mkdir(join(folder, 'bots'));
	await mkdir(join(folder, 'node_modules'));
	for (const [name, place] of [
		['bothy', '.'],
		['typescript', 'node_modules/typescript'],
	] as const) {
		await symlink(resolve(place), join(folder, 'node_modules', name));
	}

	return {folder, write};
}

test('`bothy dev` reloads a saved bot and keeps conversations and the other bots', async t => {
	t.timeout(240_000);
	const {folder: cwd, write} = await linked(t);
	await write('tsconfig.json', JSON.stringify({compilerOptions: COMPILER, include: ['bots']}));
	const env = {...ENV, REDIS_URL: await startRedis(t)};
	const dev = await startCommand(t, 'dev', {cwd, env, ready: /Bots\s+(none; `npx bothy new lunch` creates one)/});
	const url = await dev.find(/Chat page\s+(http:\S+)/);
	await dev.find(/(Ctrl-C)/);

	await write('bots/lunch.js', LUNCH);
	await write('bots/asker.ts', asker('one'));
	await dev.find(/Bots\s+(asker, lunch)/);
	const say = await openTalk(t, url);
	const sayAsBob = await openTalk(t, url, 'bob@bothy.example');
	const ask = async (bot: string, text: string) => (await say(bot, text))();
	const reloads = () => dev.output().split('eloaded').length;
	/** Has Bob ask until the answer is that of what was saved. If he asked all the time, a broken bot would fall silent. */
	const untilVersion = async (expected: RegExp) => {
		for (let seen = reloads(); !expected.test(await (await sayAsBob('Asker', 'version'))()); seen = reloads()) {
			// A receiver that is being replaced may answer after the reload, too.
			for (let looks = 0; reloads() === seen && looks < 60; looks++) {
				await sleep(50);
			}
		}
	};
	await untilVersion(/^one$/);
	t.is(await ask('Asker', 'ask'), 'How many?');

	await write('bots/asker.ts', `${asker('two')}\n\tconst wrong: number = 'text';\n`);
	await untilVersion(/^two$/);
	t.is(await ask('Asker', '7'), '7 for two');
	await dev.find(/Types\s+(bots\/asker\.ts:9:8 \(TS2322\) Type 'string' is not assignable to type 'number')/);

	await write('bots/asker.ts', `${asker('three')}\n\tconst = 4;\n`);
	await dev.find(/Broken\s+asker \(.*asker\.ts\): (syntax error at .*bots\/asker\.ts:9:7: )/);
	await untilVersion(/^`asker` failed to load/);
	const {bots} = (await (await fetch(`${url}/dev/bots`)).json()) as {
		bots: {full_name: string; hosted: {error: object | null; commands: {usage: string}[]} | null}[];
	};
	t.like(bots.find(({full_name: name}) => name === 'Asker')?.hosted?.error, {file: 'bots/asker.ts', line: 9});
	t.is(bots.find(({full_name: name}) => name === 'Lunch')?.hosted?.error, null);
	t.is(await ask('Lunch', 'hello'), 'Hello!');

	await write('bothyrc', NOBODY);
	await dev.find(
		/Not reloaded; the previous version keeps running: bothy: \S+: \[nobody\]: (expected a plugin `nobody`)/,
	);
	t.is(await ask('Lunch', 'hello'), 'Hello!');

	await write('bothyrc', '');
	await write('bots/tea.js', poster('tea').replace("about: 'Post'", "about: 'Post', role: 'administrator'"));
	await write('bots/asker.ts', asker('four'));
	await untilVersion(/^four$/);
	await dev.find(/(Types\s+no errors)/);
	const alice = await signIn(t, url, 'alice@bothy.example');
	const roleOf = async (bot: string) =>
		(await alice.getUsers()).members.find(({full_name: name}) => name === bot)?.role;
	await until(async () => (await roleOf('Tea')) === 200);

	t.is(await roleOf('Lunch'), 400);
	const sayAsAdam = await openTalk(t, url, 'adam@bothy.example');
	const next = await sayAsAdam('Tea', 'post');
	t.deepEqual([await next(), await next()].sort(), ['tea', 'tea later']);
});
