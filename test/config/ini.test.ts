import test from 'ava';
import {IniError, parseIni} from '../../src/config/ini.js';

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
