// No file of test/bots/ is left out.

import {readdir} from 'node:fs/promises';
import test from 'ava';

const testsIn = async (folder: URL) => {
	const files = await readdir(folder);
	return files.filter(name => name.endsWith('.test.js'));
};

test('what holds of a bot in one process is asked of it in the whole product', async t => {
	const here = await testsIn(new URL('.', import.meta.url));

	t.deepEqual(here, [...(await testsIn(new URL('../bots/', import.meta.url))), 'complete.test.js'].toSorted());
});
