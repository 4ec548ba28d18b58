import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {readAccounts} from '../../src/config/accounts.js';
import {ConfigError} from '../../src/config/error.js';
import {readSettings, type Settings} from '../../src/config/settings.js';

async function fileOf(t: ExecutionContext, text: string): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), 'bothy-config-'));
	t.teardown(() => rm(folder, {recursive: true}));
	const file = join(folder, 'bothyrc');
	await writeFile(file, text);
	return file;
}

/** The account that `t.like` looks at; a missing one is likened to nothing. */
const first = (settings: Settings) => readAccounts(settings)[0] ?? {};

const SECTION = 'email = Echo-bot@example.com\nkey = KEYKEYKEY\nsite = chat.example.com/\ntoken = TOKEN1\n';

test("a bot server's config file is read as it is", async t => {
	const BOTHY_CONFIG = await fileOf(t, `[echo]\n${SECTION}[second]\nbot = echo\n${SECTION.replace('Echo', 'Second')}`);

	t.deepEqual(readAccounts(readSettings({BOTHY_CONFIG})), [
		{
			name: 'echo',
			bot: 'echo',
			email: 'Echo-bot@example.com',
			key: 'KEYKEYKEY',
			site: 'https://chat.example.com',
			tokens: ['TOKEN1'],
		},
		{
			name: 'second',
			bot: 'echo',
			email: 'Second-bot@example.com',
			key: 'KEYKEYKEY',
			site: 'https://chat.example.com',
			tokens: ['TOKEN1'],
		},
	]);
});

test('a plain zuliprc works for the bot that its email names', async t => {
	const BOTHY_CONFIG = await fileOf(t, `[api]\n${SECTION}`);

	t.like(first(readSettings({BOTHY_CONFIG})), {name: 'api', bot: 'Echo'});
});

test('several tokens stand in one value', async t => {
	const BOTHY_CONFIG = await fileOf(t, `[echo]\n${SECTION.replace('TOKEN1', 'TOKEN1, TOKEN2\n TOKEN3')}`);

	t.deepEqual(readAccounts(readSettings({BOTHY_CONFIG}))[0]?.tokens, ['TOKEN1', 'TOKEN2', 'TOKEN3']);
});

test('localhost is spoken to without TLS, another name with it', async t => {
	const site = (text: string) => SECTION.replace('chat.example.com/', text);
	const BOTHY_CONFIG = await fileOf(
		t,
		`[a]\n${site('localhost:9991')}[b]\n${site('http://chat.example.com')}[c]\n${site('chat.example.com/api')}`,
	);

	t.deepEqual(
		readAccounts(readSettings({BOTHY_CONFIG})).map(account => account.site),
		['http://localhost:9991', 'http://chat.example.com', 'https://chat.example.com'],
	);
});

test('accounts may come as JSON, and from a file that a variable names', async t => {
	const json = JSON.stringify({echo: {email: 'a@b', key: 'k', site: 'https://c', token: 't'}});
	const BOTHY_CONFIG_JSON_FILE = await fileOf(t, `${json}\n`);

	t.like(first(readSettings({BOTHY_CONFIG_JSON: json})), {name: 'echo', email: 'a@b'});
	t.like(first(readSettings({BOTHY_CONFIG_JSON_FILE})), {name: 'echo', email: 'a@b'});
});

test('a section may ask for its messages, and then needs no token', t => {
	const account = {email: 'a@b', key: 'k', site: 'https://c'};
	const accounts = readAccounts(
		readSettings({
			BOTHY_CONFIG_JSON: JSON.stringify({
				asks: {...account, receive: ' events '},
				waits: {...account, email: 'b@b', receive: 'webhook'},
			}),
		}),
	);

	t.is(accounts[0]?.receive, 'events');
	t.deepEqual(accounts[0]?.tokens, []);
	t.false('receive' in (accounts[1] ?? {}));
});

test('a section may be forwarded to the host where its bot still runs', t => {
	const account = {email: 'a@b', key: 'k', site: 'https://c', token: 't'};
	const accounts = readAccounts(
		readSettings({
			BOTHY_CONFIG_JSON: JSON.stringify({
				old: {...account, forward: ' http://10.0.0.5:5002/ '},
				moved: {...account, email: 'b@b', forward: ''},
			}),
		}),
	);

	t.is(accounts[0]?.forward, 'http://10.0.0.5:5002/');
	t.false('forward' in (accounts[1] ?? {}));
});

test('a section says whether its account is shown as present, and in which hours', t => {
	const account = {email: 'a@b', key: 'k', site: 'https://c'};
	const accounts = readAccounts(
		readSettings({
			BOTHY_CONFIG_JSON: JSON.stringify({
				off: account,
				always: {...account, email: 'b@b', presence: ' idle '},
				weekdays: {...account, email: 'c@b', presence: 'active', 'presence-hours': 'Mon-Fri 9:00-17:30 Europe/Berlin'},
			}),
		}),
	);

	t.deepEqual(
		accounts.map(({presence}) => presence),
		[
			undefined,
			{status: 'idle'},
			{status: 'active', hours: [{days: [1, 2, 3, 4, 5], from: 540, to: 1050, zone: 'Europe/Berlin'}]},
		],
	);
});

const stops = test.macro({
	async exec(t, text: string, expected: RegExp) {
		const BOTHY_CONFIG = await fileOf(t, text);

		const error = t.throws(() => readAccounts(readSettings({BOTHY_CONFIG})), {message: expected});
		t.notRegex(error?.message ?? '', /KEYKEYKEY|TOKEN1/);
	},
	title: (title = '') => `${title} stops the start with the place and without a secret`,
});

test(
	'a blank token',
	stops,
	`[echo]\n${SECTION.replace(/token.*/, 'token =')}`,
	/bothyrc:1: expected `token` in \[echo\], found none\. .*zuliprc/,
);
test(
	'an email that is none',
	stops,
	`[echo]\n${SECTION.replace('@', ' at ')}`,
	/bothyrc:2: expected an email address in `email`, found "Echo-bot at/,
);
test(
	'a site that is none',
	stops,
	`[echo]\n${SECTION.replace('chat.', 'ftp://')}`,
	/bothyrc:4: expected a URL in `site`, found "ftp:/,
);
test(
	'a forward that is no URL',
	stops,
	`[echo]\n${SECTION}forward = old.example.com:5002\n`,
	/bothyrc:6: expected the URL of your present bot host in `forward`, .*found "old\.example\.com:5002"/,
);
test(
	'a forward with a password that is no URL',
	stops,
	`[echo]\n${SECTION}forward = ftp://bot:KEYKEYKEY@old\n`,
	/bothyrc:6: expected the URL of your present bot host/,
);
test(
	'a presence that is none',
	stops,
	`[echo]\n${SECTION}presence = on\n`,
	/bothyrc:6: expected `active` or `idle` in `presence`, found "on"/,
);
test(
	'hours without a presence',
	stops,
	`[echo]\n${SECTION}presence-hours = Mon 9:00-17:00 UTC\n`,
	/bothyrc:6: expected `presence = active` or `presence = idle` beside `presence-hours`, found neither/,
);
test(
	'hours in a zone that is none',
	stops,
	`[echo]\n${SECTION}presence = active\npresence-hours = Mon 9:00-17:00 Mars\n`,
	/bothyrc:7: expected an IANA time zone such as .* in `presence-hours`, found "Mars"/,
);
test(
	'a way to receive that there is not',
	stops,
	`[echo]\n${SECTION}receive = polling\n`,
	/bothyrc:6: expected `webhook` or `events` in `receive`, found "polling"/,
);
test(
	'one account in two sections',
	stops,
	`[a]\n${SECTION}[b]\n${SECTION.replace('Echo', 'eCHO')}`,
	/\[b\] and \[a\] are the same account/,
);

const misset = test.macro<[environment: NodeJS.ProcessEnv, expected: RegExp]>({
	exec(t, environment: NodeJS.ProcessEnv, expected: RegExp) {
		const error = t.throws(() => readAccounts(readSettings(environment)), {instanceOf: ConfigError, message: expected});
		t.notRegex(error?.message ?? '', /hunter2/);
	},
	title: (_, environment, expected) => `a wrong ${Object.keys(environment)[0]} stops the start with ${expected}`,
});

test(misset, {PORT: 'http'}, /^PORT: expected a port number from 0 to 65535, found "http"$/);
test(misset, {REDIS_URL: 'hunter2@host'}, /^REDIS_URL: expected a URL such as redis:/);
test(
	misset,
	{LEDGER_TEXT_HOURS: '1000'},
	/^LEDGER_TEXT_HOURS: expected a number of hours from 0 to 168, found "1000"$/,
);
test(
	misset,
	{REALM_FEATURE_LEVEL: 'new'},
	/^REALM_FEATURE_LEVEL: expected a feature level from 1 to 9999, found "new"$/,
);
test(misset, {REALM_RATE_LIMIT: 'no'}, /^REALM_RATE_LIMIT: expected on or off, found "no"$/);
test(misset, {LOG_LEVEL: 'loud'}, /^LOG_LEVEL: expected trace, debug, .*, found "loud"$/);
test(
	misset,
	{BOTHY_CONFIG: '/nowhere/bothyrc'},
	/^BOTHY_CONFIG: expected a config file, found nothing at \/nowhere\/bothyrc$/,
);
test(misset, {REDIS_URL_FILE: '/nowhere'}, /^REDIS_URL_FILE: expected a readable file, found \/nowhere \(ENOENT\)$/);
test(misset, {BOTHY_CONFIG_JSON: '{"hunter2"'}, /^BOTHY_CONFIG_JSON: expected JSON/);
test(misset, {BOTHY_CONFIG_JSON: '{"a": {"key": 5}}'}, /differs at a\.key$/);

test('without any configuration there are defaults and no accounts', t => {
	const settings = readSettings({});

	t.like(settings, {HOST: '127.0.0.1', PORT: 8080, REALM_PORT: 8090, REDIS_URL: ''});
	t.true(Object.isFrozen(settings));
});
