// What editors show for `ctx.api`: the types of the built client have the words of each operation and parameter.

import {readFile} from 'node:fs/promises';
import test from 'ava';
import {type Operation, operations} from '../../src/api/index.js';

test('the built types document each operation and each of its parameters', async t => {
	const types = await readFile(new URL('../../src/client/client.d.ts', import.meta.url), 'utf8');
	const undocumented = Object.values<Operation>(operations).flatMap(({name, parameters}) => {
		const [method = ''] =
			new RegExp(`/\\*\\* [^\\n]+ \\*/\\n\\treadonly ${name}: [\\s\\S]*?Promise<`).exec(types) ?? [];
		const missing = Object.keys(parameters).filter(
			key => !new RegExp(`/\\*\\* [^\\n]+ \\*/\\n\\t\\t${key}\\??:`).test(method),
		);
		return method === '' ? [name] : missing.map(key => `${name} ${key}`);
	});

	t.deepEqual(undocumented, []);
});
