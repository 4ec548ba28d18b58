import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {z} from 'zod';
import {bot} from '../../src/bot/bot.js';
import {readAccountFile} from '../../src/config/accounts.js';
import {ConfigError} from '../../src/config/error.js';
import {assignBots} from '../../src/host/bots.js';

const lunch = bot({
	about: 'Lunch',
	config: z.object({
		channel: z.string().default('general'),
		maxGuests: z.int('expected a whole number').default(4),
		isLoud: z.boolean().default(false),
	}),
});

/** What the bot of a section is given. */
async function settingsOf(
	t: ExecutionContext,
	lines: string,
	speaker: unknown = lunch,
	environment: NodeJS.ProcessEnv = {},
): Promise<unknown> {
	const folder = await mkdtemp(join(tmpdir(), 'bothy-config-'));
	t.teardown(() => rm(folder, {recursive: true}));
	const file = join(folder, 'bothyrc');
	await writeFile(join(folder, 'lunch.conf'), '[lunch]\nchannel = from-file\nmaxguests = 9\n');
	const text = `[lunch]\nemail = a@b\nkey = k\nsite = https://c\ntoken = tttttttttttttttttttttttttttttttt\n${lines}`;
	await writeFile(file, text.replaceAll('FOLDER', folder));
	const accounts = readAccountFile(file);
	const loaded = [{name: 'lunch', file: '', bot: speaker}];
	const [account] = assignBots(accounts, {loaded, broken: []}, {isStrict: true, environment});
	return account?.settings;
}

test("a section sets the options of its bot's schema", async t => {
	t.deepEqual(await settingsOf(t, 'config.channel = food\nconfig.maxGuests = 7\nconfig.isloud = yes\n'), {
		channel: 'food',
		maxGuests: 7,
		isLoud: true,
	});
	t.deepEqual(await settingsOf(t, ''), {channel: 'general', maxGuests: 4, isLoud: false});
});

test('a file with settings is read too, and the section takes precedence', async t => {
	t.deepEqual(await settingsOf(t, 'bot-config-file = FOLDER/lunch.conf\nconfig.maxGuests = 7\n'), {
		channel: 'from-file',
		maxGuests: 7,
		isLoud: false,
	});
});

test('the environment sets for a bot what stands before all else, also by a file', async t => {
	const folder = await mkdtemp(join(tmpdir(), 'bothy-config-'));
	t.teardown(() => rm(folder, {recursive: true}));
	await writeFile(join(folder, 'guests'), '8\n');
	const environment = {
		BOTHY_CONFIG_LUNCH_CHANNEL: 'from-environment',
		BOTHY_CONFIG_LUNCH_MAX_GUESTS_FILE: join(folder, 'guests'),
		BOTHY_CONFIG_OTHER_CHANNEL: 'other',
	};

	t.deepEqual(await settingsOf(t, 'config.channel = food\n', lunch, environment), {
		channel: 'from-environment',
		maxGuests: 8,
		isLoud: false,
	});
	const missing = {BOTHY_CONFIG_LUNCH_MAX_GUESTS_FILE: join(folder, 'none')};
	await t.throwsAsync(settingsOf(t, '', lunch, missing), {
		message: 'BOTHY_CONFIG_LUNCH_MAX_GUESTS_FILE: expected a readable file (ENOENT)',
	});
});

test('a local bot that lacks its config is named and left out, and the others run', t => {
	const strict = bot({about: 'Strict', config: z.object({key: z.string()})});
	const account = {email: 'a@b', key: 'k', site: 'https://c', tokens: ['t'.repeat(32)]};
	const plugins = {
		loaded: [
			{name: 'strict', file: '', bot: strict},
			{name: 'lunch', file: '', bot: lunch},
		],
		broken: [],
	};

	const assigned = assignBots(
		[
			{...account, name: 'realm:strict', bot: 'strict'},
			{...account, name: 'realm:lunch', bot: 'lunch'},
		],
		plugins,
	);

	t.deepEqual(
		assigned.map(({work, problem}) => [work !== undefined, problem]),
		[
			[false, 'bots/strict.config.json: `config.key`: is missing'],
			[true, undefined],
		],
	);
});

test('what the bot does not take stops the start with file, line and key', async t => {
	const refused = (lines: string, speaker?: unknown) =>
		t.throwsAsync(settingsOf(t, lines, speaker), {instanceOf: ConfigError});

	t.regex(
		(await refused('config.maxGuests = many\n'))?.message ?? '',
		/bothyrc:6: `config\.maxGuests`: expected a whole number$/,
	);
	t.regex(
		(await refused('config.guests = 3\n'))?.message ?? '',
		/bothyrc:6: expected one of `config\.channel`, `config\.maxGuests`, `config\.isLoud`, found `config\.guests`$/,
	);
	t.regex(
		(await refused('config.guests = 3\n', bot({about: 'Takes none'})))?.message ?? '',
		/bothyrc:6: expected nothing in `config\.guests`: this bot has no settings$/,
	);
	t.regex(
		(await refused('bot-config-file = FOLDER/none\n'))?.message ?? '',
		/bothyrc:6: expected a file, found nothing at/,
	);
});

test('a plugin that an account names and that cannot be loaded prevents a strict start', t => {
	const section = {name: 'lunch', email: 'a@b', key: 'k', site: 'https://c', tokens: ['t'], bot: 'lunch'};
	const broken = [{name: 'lunch', file: 'bots/lunch.ts', reason: 'bots/lunch.ts:3: expected ;'}];

	t.throws(() => assignBots([section], {loaded: [], broken}, {isStrict: true}), {
		instanceOf: ConfigError,
		message: /lunch \(bots\/lunch\.ts\): bots\/lunch\.ts:3: expected ;[\s\S]*--lenient/,
	});
	t.is(assignBots([section], {loaded: [], broken})[0]?.work, undefined);
	t.notThrows(() => assignBots([{...section, forward: 'http://old.example'}], {loaded: [], broken}, {isStrict: true}));
});

test('a package that an account names and that is not installed prevents the start, with the command that installs it', t => {
	const section = {name: 'a', email: 'a@b', key: 'k', site: 'https://c', tokens: ['t'], bot: '@acme/other-lunch'};

	t.throws(() => assignBots([section], {loaded: [], broken: []}), {
		instanceOf: ConfigError,
		message: /^\[a\]: expected a plugin `@acme\/other-lunch` .* `npm install @acme\/other-lunch`/,
	});
});

test('an account that cannot see what its bot declares is refused, with the reason and the cure', async t => {
	const listening = bot({about: 'Listens'}).on('channel_message', () => {});

	await t.throwsAsync(settingsOf(t, '', listening), {
		instanceOf: ConfigError,
		message:
			/^\[lunch\]: the plugin `lunch` declares \.on\('channel_message'\), but the service posts only .+ \*Generic bot\*, and write `receive = events`/,
	});
	await t.notThrowsAsync(settingsOf(t, 'receive = events\n', listening));
});
