// What the README says of the environment is what the code reads.

import {readFileSync} from 'node:fs';
import test from 'ava';
import {ENVIRONMENT} from '../src/config/settings.js';

test('the README lists every variable of the environment with its default', t => {
	const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
	const rows = Object.entries(ENVIRONMENT).map(
		([name, {default: value, about}]) => `| \`${name}\` | ${value === '' ? '' : `\`${value}\``} | ${about} |`,
	);

	t.true(readme.includes(`| Variable | Default | Meaning |\n|---|---|---|\n${rows.join('\n')}\n`), rows.join('\n'));
});
