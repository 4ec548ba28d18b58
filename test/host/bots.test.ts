import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {z} from '../../src/api/zod.js';
import {bot} from '../../src/bot/bot.js';
import {readAccountFile} from '../../src/config/accounts.js';
import {ConfigError} from '../../src/config/error.js';
import {createDeliveries} from '../../src/delivery/deliveries.js';
import {createRedisStore} from '../../src/delivery/redis-store.js';
import {assignBots, type BotAccount, handleWith} from '../../src/host/bots.js';
import {createPauses} from '../../src/host/pauses.js';
import {createLog} from '../../src/log.js';
import {createValueStore} from '../../src/storage/values.js';
import {payload} from '../helpers/payload.js';
import {connect, startRedis} from '../helpers/redis.js';
import {openRedis} from '../helpers/shared-redis.js';
import {until} from '../helpers/until.js';

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

test('settings in the environment take precedence, also those from a file', async t => {
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

test('a local bot without its config is named and does not run, and the others run', t => {
	const strict = bot({about: 'Strict', config: z.object({key: z.string(), count: z.int()})});
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
			{...account, name: 'realm:lunch', bot: 'lunch', config: {maxguests: {text: 'many', place: 'BOTHY_CONFIG_JSON'}}},
		],
		plugins,
	);

	t.deepEqual(
		assigned.map(({work, problem}) => [work !== undefined, problem]),
		[
			[
				false,
				'bots/strict.config.json: `config.key` and `config.count` are missing. Set them there, or in ' +
					'BOTHY_CONFIG_STRICT_KEY and BOTHY_CONFIG_STRICT_COUNT',
			],
			[true, undefined],
			[false, 'bots/lunch.config.json: `config.maxGuests`: expected a whole number'],
		],
	);
});

test('a setting that the bot does not accept stops the start with file, line and key', async t => {
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
	const together = z
		.object({low: z.int(), high: z.int()})
		.refine(({low, high}) => low < high, 'low must be below high');
	t.regex(
		(await refused('config.low = 3\nconfig.high = 2\n', bot({about: 'Checks both', config: together})))?.message ?? '',
		/\[lunch\]: low must be below high$/,
	);
	t.regex(
		(await refused('config.high = 2\n', bot({about: 'Checks both', config: together})))?.message ?? '',
		/\[lunch\]: `config\.low` is missing\. Set it there, or in BOTHY_CONFIG_LUNCH_LOW$/,
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

test('an account that cannot see what its bot declares is refused, with the reason and what to do', async t => {
	const listening = bot({about: 'Listens'}).on('channel_message', () => {});

	await t.throwsAsync(settingsOf(t, '', listening), {
		instanceOf: ConfigError,
		message:
			/^\[lunch\]: the plugin `lunch` declares \.on\('channel_message'\), but the service posts only .+ \*Generic bot\*, and write `receive = events`/,
	});
	await t.notThrowsAsync(settingsOf(t, 'receive = events\n', listening));
});

// A pause that one process records holds in all, even in one that starts later.

const accountOf = (name: string) => ({site: 'https://chat.example.com', email: `${name}@chat.example.com`});

/** Processes whose clock is stopped. */
async function start(t: ExecutionContext) {
	const url = await openRedis(t);
	const clock = {now: 0};
	return {
		clock,
		async openProcess() {
			const redis = await connect(t, url);
			const pauses = createPauses(redis, await connect(t, url), () => clock.now);
			return {of: pauses.of, isHeard: () => redis.ping()};
		},
	};
}

async function untilPaused(remainingMs: () => number): Promise<number> {
	await until(() => remainingMs() > 0);
	return remainingMs();
}

test('a pause reaches the other processes, and no other account', async t => {
	const {openProcess} = await start(t);
	const [one, two] = [await openProcess(), await openProcess()];
	const elsewhere = two.of(accountOf('echo'));

	one.of(accountOf('ECHO')).begin(60_000);

	t.is(await untilPaused(elsewhere.remainingMs), 60_000);
	t.is(two.of(accountOf('other')).remainingMs(), 0);
});

test('a process that starts later sees a pause, and the pause ends', async t => {
	const {openProcess, clock} = await start(t);
	const one = await openProcess();
	one.of(accountOf('late')).begin(60_000);
	await one.isHeard();

	const later = (await openProcess()).of(accountOf('late'));
	const ms = await untilPaused(later.remainingMs);
	t.true(ms > 0 && ms <= 60_000);
	clock.now = 60_001;

	t.is(later.remainingMs(), 0);
	t.is(one.of(accountOf('late')).remainingMs(), 0);
});

// Two hosts of one bot share its conversations. Both get an answer to one question at the same moment.

const asker = bot({about: 'Asks', perMinute: 0})
	.command('ask', {about: 'Be asked'}, ctx => ctx.ask('number', 'Which?'))
	.answer('number', z.coerce.number(), async (ctx, number) => {
		await ctx.storage.update('taken', z.array(z.number()), (taken = []) => [...taken, number]);
		await ctx.reply(`took ${number}`);
	})
	.on('mention', ctx => ctx.reply(`heard ${ctx.text}`));

async function startHost(t: ExecutionContext, url: string, process: string) {
	const redis = await connect(t, url);
	const log = createLog({level: 'silent', pretty: false});
	const section = {
		name: 'asker',
		email: 'echo-bot@chat.example.com',
		key: 'k',
		site: 'https://chat.example.com',
		tokens: ['t'],
		bot: 'asker',
	};
	const [account] = assignBots([section], {loaded: [{name: 'asker', file: '', bot: asker}], broken: []});
	if (!account) {
		throw new Error('Expected an account');
	}

	const unused = async () => {
		throw new Error('Expected nothing but questions');
	};
	const deliveries = createDeliveries<BotAccount>({
		process,
		store: createRedisStore(redis),
		log,
		isDead: () => false,
		async enqueue() {},
		handle: handleWith({
			log,
			schedules: {list: unused, cancel: unused, reschedule: unused, replace: unused},
			values: createValueStore(redis),
			questions: createValueStore(redis, 'questions'),
			sight: {of: unused},
			fetchOnce: unused,
			clientOf: () => undefined,
			sent: unused,
		}),
	});
	t.teardown(() => deliveries.close(1_000));
	return async (text: string, id: number) => {
		const work = {kind: 'message', payload: payload({text, message: {id}})} as const;
		const arrival = {account, work, arrivedAt: performance.now()};
		return JSON.parse((await deliveries.receive(arrival)).body).content as string;
	};
}

test('if two hosts get answers to one question, one takes the answer and the other gets an ordinary message', async t => {
	const url = await startRedis(t);
	const [first, second] = [await startHost(t, url, 'one'), await startHost(t, url, 'two')];
	for (let round = 0; round < 20; round += 1) {
		const id = 10 * round;
		t.is(await first('ask', id + 1), 'Which?');

		const answers = await Promise.all([first('7', id + 2), second('8', id + 3)]);

		t.is(answers.filter(answer => answer.startsWith('took ')).length, 1, answers.join());
		t.is(answers.filter(answer => answer.startsWith('heard ')).length, 1, answers.join());
	}
});
