// Which test files run in one process. A process of its own costs a file about a second of CPU, nearly all of it for loading
// what the others load too, so the many small files that start a realm of their own are gathered by the dozen.

import {mkdirSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {root} from './build.mjs';

const FILES_IN_ONE = 12;

/** Writes dist/test/together/ anew: files that import those of these folders. Titles of tests are unique in each folder. */
export function gather(folders, alone) {
	const tests = path.join(root, 'dist', 'test');
	const together = path.join(tests, 'together');
	rmSync(together, {recursive: true, force: true});
	mkdirSync(together);
	const gathered = folders.flatMap(folder => {
		const names = readdirSync(path.join(tests, folder)).filter(name => name.endsWith('.test.js'));
		return partsOf(names.filter(name => !alone(`${folder}/${name}`)).sort()).map((part, index) => {
			const lines = part.map(name => `import '../${folder}/${name}';\n`);
			writeFileSync(path.join(together, `${folder}-${index + 1}.test.js`), lines.join(''));
			return part.map(name => `${folder}/${name}`);
		});
	});
	return gathered.flat();
}

function partsOf(names) {
	const count = Math.ceil(names.length / FILES_IN_ONE);
	return Array.from({length: count}, (_, part) => names.filter((_name, index) => index % count === part));
}
