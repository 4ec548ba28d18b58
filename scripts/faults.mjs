// `npm run faults [name…]`: real processes under faults, each suite of test/faults/ in its full size.

import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync} from 'node:fs';
import path from 'node:path';
import {root} from './build.mjs';

const SUITES = ['deliveries', 'sends', 'drafts'];

const names = process.argv.slice(2);
const programs = (names.length === 0 ? SUITES : names).map(name =>
	path.join(root, 'dist', 'test', 'faults', `${name}.js`),
);
const missing = programs.find(program => !existsSync(program));
if (missing) {
	console.error(`Expected one of ${SUITES.join(', ')}, found no ${missing}`);
	process.exit(2);
}

for (const program of programs) {
	const [code] = await once(spawn(process.execPath, [program], {stdio: 'inherit'}), 'exit');
	process.exitCode ||= code ?? 1;
}
