// What each process of `bothy web` loads at its start: every package costs each of them memory and time.

import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import test from 'ava';

const SOURCES = new URL('../../src/', import.meta.url);

/** Packages that a compiled module loads, directly or by another module; not those of a dynamic import. */
function packagesOf(start: string): string[] {
	const seen = new Set<string>();
	const packages = new Set<string>();
	const waiting = [new URL(start, SOURCES)];
	for (let file = waiting.pop(); file; file = waiting.pop()) {
		if (seen.has(file.href)) {
			continue;
		}

		seen.add(file.href);
		const text = readFileSync(fileURLToPath(file), 'utf8');
		for (const [, name = ''] of text.matchAll(/^(?:import|export)\b(?:[^;(']*from|.* = require\()? ?'([^']+)'\)?;/gm)) {
			if (name.startsWith('.')) {
				waiting.push(new URL(name, file));
			} else if (!name.startsWith('node:')) {
				packages.add(name);
			}
		}
	}

	return [...packages].toSorted();
}

test('the build puts zod, which every process loads, into one file', t => {
	t.deepEqual(packagesOf('api/zod.js'), []);
});

test('the first process of web loads no bots, no client and no queues', t => {
	t.deepEqual(packagesOf('cli/web.js'), ['fastest-levenshtein', 'ioredis', 'pino']);
});

test('a receiver loads what its bots need only when they need it', t => {
	const packages = ['run-receiver', 'receiving', 'background/background-deliveries'].flatMap(name =>
		packagesOf(`host/${name}.js`),
	);

	t.true(packages.includes('bullmq'));
	for (const name of [
		'chrono-node/en',
		'undici',
		'prom-client',
		'tsx',
		'commander',
		'markdown-it',
		'libsql',
		'helmet',
	]) {
		t.false(packages.includes(name), name);
	}
});

test('the thread of the watchdog loads no packages', t => {
	t.deepEqual(packagesOf('host/processes/watchdog-thread.js'), []);
});

test('the command line loads only what its help needs, until a command runs', t => {
	t.deepEqual(packagesOf('cli/program.js'), ['commander']);
});
