import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {readAccounts} from '../../src/config/accounts.js';
import {ConfigError} from '../../src/config/error.js';
import {IniError, parseIni} from '../../src/config/ini.js';
import {readSettings, type Settings} from '../../src/config/settings.js';
import {CALM} from '../helpers/bothy.js';

async function fileOf(t: ExecutionContext, text: string): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), 'bothy-config-'));
	t.teardown(() => rm(folder, {recursive: true}));
	const file = join(folder, 'bothyrc');
	await writeFile(file, text);
	return file;
}

/** The account that `t.like` looks at; a missing one is likened to nothing. */
const first = (settings: Settings) => readAccounts(settings)[0] ?? {};

const SECTION = 'email = Echo-bot@example.com\nkey = KEYKEYKEY\nsite = chat.example.com/\ntoken = TOKEN1TOKEN1TOKEN1\n';

test("a bot server's config file is read as it is", async t => {
	const BOTHY_CONFIG = await fileOf(t, `[echo]\n${SECTION}[second]\nbot = echo\n${SECTION.replace('Echo', 'Second')}`);

	const account = {bot: 'echo', key: 'KEYKEYKEY', site: 'https://chat.example.com', tokens: ['TOKEN1TOKEN1TOKEN1']};
	t.deepEqual(readAccounts(readSettings({BOTHY_CONFIG})), [
		{...account, name: 'echo', place: `${BOTHY_CONFIG}:1`, email: 'Echo-bot@example.com'},
		{...account, name: 'second', place: `${BOTHY_CONFIG}:6`, email: 'Second-bot@example.com'},
	]);
});

test('a plain zuliprc works for the bot that its email names', async t => {
	const BOTHY_CONFIG = await fileOf(t, `[api]\n${SECTION}`);

	t.like(first(readSettings({BOTHY_CONFIG})), {name: 'api', bot: 'Echo'});
});

test('one value may have several tokens', async t => {
	const BOTHY_CONFIG = await fileOf(
		t,
		`[echo]\n${SECTION.replace('TOKEN1TOKEN1TOKEN1', 'TOKEN1TOKEN1TOKEN1, TOKEN2TOKEN2TOKEN2\n TOKEN3TOKEN3TOKEN3')}`,
	);

	t.deepEqual(readAccounts(readSettings({BOTHY_CONFIG}))[0]?.tokens, [
		'TOKEN1TOKEN1TOKEN1',
		'TOKEN2TOKEN2TOKEN2',
		'TOKEN3TOKEN3TOKEN3',
	]);
});

test('localhost is called without TLS, any other host with it', async t => {
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

test('accounts may be given as JSON, and in a file that a variable names', async t => {
	const json = JSON.stringify({
		echo: {email: 'a@b', key: 'k', site: 'https://c', token: 'tttttttttttttttttttttttttttttttt'},
	});
	const BOTHY_CONFIG_JSON_FILE = await fileOf(t, `${json}\n`);

	t.like(first(readSettings({...CALM, BOTHY_CONFIG_JSON: json})), {name: 'echo', email: 'a@b'});
	t.like(first(readSettings({...CALM, BOTHY_CONFIG_JSON_FILE})), {name: 'echo', email: 'a@b'});
});

/** The accounts of sections with these settings besides. */
function accountsWith(...settings: readonly Readonly<Record<string, string>>[]) {
	const sections = settings.map((more, n) => [`s${n}`, {email: `${n}@b`, key: 'k', site: 'https://c', ...more}]);
	return readAccounts(readSettings({...CALM, BOTHY_CONFIG_JSON: JSON.stringify(Object.fromEntries(sections))}));
}

test('a section may poll for its messages, and then needs no token', t => {
	const [asks, waits] = accountsWith(
		{receive: ' events '},
		{receive: 'webhook', token: 'tttttttttttttttttttttttttttttttt'},
	);

	t.is(asks?.receive, 'events');
	t.deepEqual(asks?.tokens, []);
	t.false('receive' in (waits ?? {}));
});

test('a section may be forwarded to the host where its bot still runs', t => {
	const [old, moved] = accountsWith(
		{token: 'tttttttttttttttttttttttttttttttt', forward: ' http://10.0.0.5:5002/ '},
		{token: 'tttttttttttttttttttttttttttttttt', forward: ''},
	);

	t.is(old?.forward, 'http://10.0.0.5:5002/');
	t.false('forward' in (moved ?? {}));
});

test('a section sets whether its account is shown as present, and in which hours', t => {
	const accounts = accountsWith(
		{},
		{presence: ' idle '},
		{presence: 'active', 'presence-hours': 'Mon-Fri 9:00-17:30 Europe/Berlin'},
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

/** Settings that take the place of those of their names, or come after them. */
for (const [setting, expected] of [
	['token =', /bothyrc:1: expected `token` in \[echo\], found none\. .*zuliprc/],
	['email = Echo-bot at example.com', /bothyrc:2: expected an email address in `email`, found "Echo-bot at/],
	['site = ftp://chat.example.com/', /bothyrc:4: expected the address of .* in `site`, .*found "ftp:/],
	['forward = old:5002', /bothyrc:6: expected the URL of your present bot host in `forward`, .*found "old:5002"/],
	['forward = ftp://bot:KEYKEYKEY@old', /bothyrc:6: expected the URL of your present bot host/],
	['presence = on', /bothyrc:6: expected `active` or `idle` in `presence`, found "on"/],
	[
		'presence-hours = Mon 9:00-17:00 UTC',
		/bothyrc:6: expected `presence = active` or `presence = idle` together with `presence-hours`, found neither/,
	],
	[
		'presence = active\npresence-hours = Mon 9:00-17:00 Mars',
		/bothyrc:7: expected an IANA time zone such as .* in `presence-hours`, found "Mars"/,
	],
	[
		'site = https://chat.example.com/team',
		/bothyrc:4: expected the address of .* in `site`, scheme and host without a path/,
	],
	['site = https://chat.example.com?x', /bothyrc:4: expected the address of .*found "https:\/\/chat\.example\.com\?x"/],
	['site = https://me:secret@chat.example.com', /bothyrc:4: expected the address of .*found a login$/],
	['recieve = events', /bothyrc:6: unknown key `recieve` in \[echo\]\. Did you mean `receive`\?/],
	['receive = polling', /bothyrc:6: expected `webhook` or `events` in `receive`, found "polling"/],
	[`[b]\n${SECTION.replace('Echo', 'eCHO')}`, /bothyrc:\d+: \[b\] and \[echo\] \(\S+bothyrc:1\) are the same account/],
] as const) {
	test(`${JSON.stringify(setting)} stops the start with the place and without a secret`, async t => {
		const given = SECTION.split('\n').find(line => line.startsWith(setting.split('=', 1)[0] ?? ''));
		const text = given ? SECTION.replace(given, setting) : `${SECTION}${setting}\n`;
		const BOTHY_CONFIG = await fileOf(t, `[echo]\n${text}`);

		const error = t.throws(() => readAccounts(readSettings({BOTHY_CONFIG})), {message: expected});
		t.notRegex(error?.message ?? '', /KEYKEYKEY|TOKEN1TOKEN1TOKEN1/);
	});
}

for (const [environment, expected] of [
	[{PORT: 'http'}, /^PORT: expected a port number from 0 to 65535, found "http"$/],
	[{REDIS_URL: 'hunter2@host'}, /^REDIS_URL: expected a URL such as redis:/],
	[{LEDGER_TEXT_HOURS: '1000'}, /^LEDGER_TEXT_HOURS: expected a number of hours from 0 to 168, found "1000"$/],
	[{REALM_FEATURE_LEVEL: 'new'}, /^REALM_FEATURE_LEVEL: expected a feature level from 1 to 9999, found "new"$/],
	[{REALM_RATE_LIMIT: 'no'}, /^REALM_RATE_LIMIT: expected on or off, found "no"$/],
	[{LOG_LEVEL: 'loud'}, /^LOG_LEVEL: expected trace, debug, .*, found "loud"$/],
	[{BOTHY_CONFIG: '/'}, /^BOTHY_CONFIG: expected a config file, found the folder \/$/],
	[{BOTHY_CONFIG: '/nowhere/bothyrc'}, /^BOTHY_CONFIG: expected a config file, found nothing at \/nowhere\/bothyrc$/],
	[{REDIS_URL_FILE: '/nowhere'}, /^REDIS_URL_FILE: expected a readable file, found \/nowhere \(ENOENT\)$/],
	[{BOTHY_CONFIG_JSON: '{"hunter2"'}, /^BOTHY_CONFIG_JSON: expected JSON/],
	[{BOTHY_CONFIG_JSON: '{"a": {"key": 5}}'}, /something else at a\.key$/],
] satisfies [NodeJS.ProcessEnv, RegExp][]) {
	test(`a wrong ${Object.keys(environment)[0]} stops the start with ${expected}`, t => {
		const error = t.throws(() => readAccounts(readSettings({...CALM, ...environment})), {
			instanceOf: ConfigError,
			message: expected,
		});
		t.notRegex(error?.message ?? '', /hunter2/);
	});
}

test('without any configuration there are defaults and no accounts', t => {
	const settings = readSettings({});

	t.like(settings, {HOST: '127.0.0.1', PORT: 8080, REALM_PORT: 8090, REDIS_URL: ''});
	t.true(Object.isFrozen(settings));
});

test('an empty token, and one that could be guessed, are refused with file and line', async t => {
	for (const [token, found] of [
		['TOKEN1TOKEN1TOKEN1,', 'found an empty one'],
		[', TOKEN1TOKEN1TOKEN1', 'found an empty one'],
		['TOKEN1TOKEN1TOKEN1,,TOKEN2TOKEN2TOKEN2', 'found an empty one'],
		['secret', 'at least 16 characters, found one of 6'],
	] as const) {
		const BOTHY_CONFIG = await fileOf(t, `[echo]\n${SECTION.replace('TOKEN1TOKEN1TOKEN1', token)}`);
		const error = t.throws(() => readAccounts(readSettings({BOTHY_CONFIG})), {instanceOf: ConfigError});
		t.true(error?.message.includes(found), error?.message);
		t.true(error?.message.startsWith(`${BOTHY_CONFIG}:5: `), error?.message);
		t.notRegex(error?.message ?? '', /secret|TOKEN1/);
	}
});

/** What Python 3.11's configparser.ConfigParser() says of the same text. */
const reads = test.macro({
	exec(t, text: string, expected: Record<string, Record<string, string>>) {
		const found = Object.fromEntries(
			parseIni(text, 'bothyrc').map(({name, values}) => [
				name,
				Object.fromEntries([...values].map(([key, {value}]) => [key, value])),
			]),
		);
		t.deepEqual(found, expected);
	},
	title: (title = '') => `${title} is read as Python's configparser reads it`,
});

test('a section with both separators', reads, '[a]\nKey = 1\nother:2\nthird=a=b:c\n', {
	a: {key: '1', other: '2', third: 'a=b:c'},
});
test('a comment', reads, '# top\n[a]\n; one\nkey=v # kept\n  # inside\n', {a: {key: 'v # kept'}});
test('a continued value', reads, '[a]\nkey = one\n  two\n\n  three\nnext = x\n', {
	a: {key: 'one\ntwo\n\nthree', next: 'x'},
});
test('a default', reads, '[DEFAULT]\nsite = s\n[a]\nkey=1\n[b]\nsite=t\n', {a: {site: 's', key: '1'}, b: {site: 't'}});
test('a quoted value', reads, '[a]\nkey = "v"\n', {a: {key: '"v"'}});
test('a section name with a dot', reads, '[a.b]\nkey = 1\n', {'a.b': {key: '1'}});
test('an empty value', reads, '[a]\nkey =\n', {a: {key: ''}});
test('a doubled percent sign', reads, '[a]\nkey = 5%%\n', {a: {key: '5%'}});
test('Windows line ends', reads, '[a]\r\nkey = 1\r\n', {a: {key: '1'}});

for (const [text, message] of [
	['[a]\nk\0ey = 1', 'bothyrc:2: expected text in UTF-8, found other bytes. Save the file as UTF-8'],
	['key = 1', 'bothyrc:1: expected a section such as `[echo]` first, found a key outside of any section'],
	[
		'[]\nkey=1',
		"bothyrc:1: expected the name of the bot's plugin between the brackets, such as `[echo]`, found empty brackets",
	],
	['[a]\n\nsecret', 'bothyrc:3: expected `key = value`, found a line without `=` or `:`'],
	['[a]\n[b]\n[a]', 'bothyrc:3: expected each section once, found [a] again (first in line 1)'],
	['[a]\nk=1\nK=2', 'bothyrc:3: expected each key once in [a], found `k` again (first in line 2)'],
	['[a]\nk=5%', 'bothyrc:2: expected `k` with each percent sign written as `%%`, found a single percent sign'],
] as const) {
	test(`${JSON.stringify(text)} is refused with file and line`, t => {
		t.throws(() => parseIni(text, 'bothyrc'), {instanceOf: IniError, message});
	});
}
