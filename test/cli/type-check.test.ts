import {once} from 'node:events';
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {type AddressInfo, createServer, type Socket} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test from 'ava';
import {createTypeCheck} from '../../src/cli/project/type-check.js';
import {readSettings} from '../../src/config/settings.js';
import {createTeardown} from '../../src/host/teardown.js';
import {createLog} from '../../src/log.js';

/** Like that of TypeScript 7, the program leaves the work to another one. That one keeps a connection to `port` while it runs. */
const programFor = (port: number) => `
	const work = 'require("node:net").connect(${port}, "127.0.0.1").on("close", () => process.exit())';
	require('node:child_process').spawnSync(process.execPath, ['-e', work]);
`;

test('the end of a type check ends the program that does the work', async t => {
	const folder = mkdtempSync(join(tmpdir(), 'bothy-types-'));
	t.teardown(() => rmSync(folder, {recursive: true}));
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	t.teardown(() => server.close());
	const typescript = join(folder, 'node_modules', 'typescript');
	mkdirSync(typescript, {recursive: true});
	writeFileSync(join(typescript, 'package.json'), '{"bin": {"tsc": "./tsc.js"}}');
	writeFileSync(join(typescript, 'tsc.js'), programFor((server.address() as AddressInfo).port));
	writeFileSync(join(folder, 'package.json'), '{}');
	writeFileSync(join(folder, 'tsconfig.json'), '{}');
	process.chdir(folder);
	const typeCheck = createTypeCheck({
		settings: readSettings({BOTHY_DATA: folder}),
		log: createLog({level: 'silent', pretty: false}),
		teardown: createTeardown(error => t.fail(String(error))),
	});

	typeCheck.start();
	const [worker] = (await once(server, 'connection')) as [Socket];
	t.teardown(() => worker.destroy());
	worker.on('error', () => {});
	t.false(worker.closed);
	typeCheck.stop();

	await once(worker.resume(), 'close');
	t.true(worker.closed);
});
