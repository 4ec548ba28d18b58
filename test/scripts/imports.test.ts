import {spawnSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import test, {type ExecutionContext} from 'ava';

/** The output of scripts/imports.mjs for a tree of these files. */
function check(t: ExecutionContext, files: Record<string, string>): string[] {
	const root = mkdtempSync(path.join(tmpdir(), 'bothy-imports-'));
	t.teardown(() => rmSync(root, {recursive: true, force: true}));
	for (const [name, text] of Object.entries(files)) {
		mkdirSync(path.dirname(path.join(root, name)), {recursive: true});
		writeFileSync(path.join(root, name), text);
	}

	const {stdout, stderr, status} = spawnSync(process.execPath, [path.resolve('scripts/imports.mjs'), root], {
		encoding: 'utf8',
	});
	t.is(stderr, '');
	const lines = stdout.split('\n').filter(line => line !== '');
	t.is(status, lines.length > 0 ? 1 : 0);
	return lines;
}

test('a tree that follows the table has no violations', t => {
	const lines = check(t, {
		'src/api/zod.ts': `export {z} from 'zod';`,
		'src/api/index.ts': `import {z} from './zod.js';\nexport const Id = z.int();`,
		'src/client/client.ts': `import {Id} from '../api/index.js';\nexport * from './errors.js';`,
		'src/client/errors.ts': `import {EventEmitter} from 'node:events';`,
		'src/index.ts': `export {bot} from './bot/bot.js';`,
		'src/bot/bot.ts': `import type {Id} from '../api/index.js';`,
		'src/cli.ts': `const {bot} = await import('./index.js');`,
		'bots/echo.ts': `import {bot} from 'bothy';`,
		'test/bot/bot.test.ts': `import {bot} from '../../src/bot/bot.js';\nimport echo from '../../bots/echo.js';`,
	});

	t.deepEqual(lines, []);
});

const forms = {
	import: `import {post} from '../client/client.js';`,
	'import over several lines': `import {\n\tpost, // from 'here'\n} from '../client/client.js';`,
	'import type': `import type {Post} from "../client/client.js";`,
	'import for its effect': `import '../client/client.js';`,
	'export from': `export {post as default} from '../client/client.js';`,
	'export star': `export * as client from '../client/client.js';`,
	'export type': `export type {Post} from '../client/client.js';`,
	'dynamic import': `const load = () => import('../client/client.js');`,
	'dynamic import of a template': 'const load = () => import(`../client/client.js`);',
	'type of an import': `type Post = typeof import('../client/client.js');`,
	'import equals': `import client = require('../client/client.js');`,
	'import in the hole of a template': `const text = \`\${await import('../client/client.js')}\`;`,
};

for (const [form, text] of Object.entries(forms)) {
	test(`a forbidden import is found in the form: ${form}`, t => {
		const lines = check(t, {'src/client/client.ts': '', 'src/storage/store.ts': `// The first line.\n${text}`});

		const line = text.split('\n').length + 1;
		t.deepEqual(lines, [
			`src/storage/store.ts:${line} imports '../client/client.js': storage may import api, redis, delivery`,
		]);
	});
}

test('text that only looks like an import is ignored', t => {
	const lines = check(t, {
		'src/client/client.ts': '',
		'src/drafts/store.ts': [
			`// import {post} from '../client/client.js';`,
			`/* import('../client/client.js') */`,
			`const text = "import {post} from '../client/client.js'";`,
			`const more = \`import {post} from '../client/client.js' \${text}\`;`,
			`const pattern = /import '..\\/client\\/client.js'["']/;`,
			`loader.import('../client/client.js');`,
			`export const from = '../client/client.js';`,
		].join('\n'),
	});

	t.deepEqual(lines, []);
});

const violations: Record<string, {file: string; text: string; expected: string}> = {
	'nothing imports the cli': {file: 'test/cli.test.ts', text: `import '../src/cli.js';`, expected: 'test may import '},
	'files right in src take nothing but the api': {
		file: 'src/log.ts',
		text: `import '../src/bot/bot.js';`,
		expected: 'log may import api',
	},
	'what runs the host knows no command': {
		file: 'src/host/run.ts',
		text: `import '../cli/once.js';`,
		expected: 'host may import api',
	},
	'the realm does not know the receiver': {
		file: 'src/realm/post.ts',
		text: `import '../receiver/app.js';`,
		expected: 'realm may import api',
	},
	'the api takes no package but zod': {
		file: 'src/api/people/users.ts',
		text: `import {readFileSync} from 'node:fs';`,
		expected: 'of packages, api may import zod',
	},
	'a bot takes nothing from inside': {
		file: 'bots/echo.ts',
		text: `import {bot} from '../src/bot/bot.js';`,
		expected: `bots may import the face alone, 'bothy'`,
	},
	'a bot takes the face by its name': {
		file: 'bots/echo.ts',
		text: `import {bot} from '../src/index.js';`,
		expected: `bots may import the face alone, 'bothy'`,
	},
	'a bot takes no packages': {
		file: 'bots/echo.ts',
		text: `import undici from 'undici';`,
		expected: `of packages, bots may import only the face, 'bothy'`,
	},
	'a worker knows no receiver': {
		file: 'workers/sends.ts',
		text: `import '../src/receiver/app.js';`,
		expected: 'workers may import api, client, redis, queue, delivery, ',
	},
	'wire tests do not use the api that they hold to account': {
		file: 'test/wire/people/users.test.ts',
		text: `import '../../../src/api/people/users.js';`,
		expected: 'test/wire may import client',
	},
	'a new folder has to be in the table': {
		file: 'src/utils/text.ts',
		text: `import '../api/users.js';`,
		expected: 'does not know utils',
	},
};

for (const [title, {file, text, expected}] of Object.entries(violations)) {
	test(title, t => {
		const [line = '', ...others] = check(t, {[file]: text});

		t.true(line.startsWith(`${file}:1 imports '`), line);
		t.true(line.includes(expected), line);
		t.deepEqual(others, []);
	});
}

test('a circle between files is reported with its path', t => {
	const lines = check(t, {
		'src/api/a.ts': `import './b.js';`,
		'src/api/b.ts': `import './c.js';`,
		'src/api/c.ts': `import type {A} from './a.js';`,
	});

	t.deepEqual(lines, ['src/api/c.ts:1 closes a circle: src/api/a.ts → src/api/b.ts → src/api/c.ts → src/api/a.ts']);
});
