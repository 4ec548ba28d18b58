// The generated parts of the documents are up to date.

import {readFile} from 'node:fs/promises';
import test from 'ava';
import {operations} from '../../src/api/index.js';
import {EXAMPLES} from './api-examples.js';
import {generated} from './generated.js';

test('what `npm run docs` writes is what stands in the documents', async t => {
	for (const [file, text] of await generated()) {
		t.is(await readFile(file, 'utf8'), text, `${file} is stale: run \`npm run docs\``);
	}
});

test('every operation has an example', t => {
	const missing = Object.keys(operations).filter(name => !(name in EXAMPLES));

	t.deepEqual(missing, [], 'add a call to test/docs/api-examples.ts');
});
