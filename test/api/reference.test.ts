import {readFileSync} from 'node:fs';
import test from 'ava';
import {reference} from '../../src/api/reference.js';

test('docs/api.md is what the wire table says; `npm run docs` prints it anew', t => {
	t.is(readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8'), reference());
});
