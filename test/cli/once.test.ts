// What a command prints reaches its reader in full, however slowly that one reads.

import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {type AddressInfo, connect, createServer, type Socket} from 'node:net';
import {fileURLToPath} from 'node:url';
import test from 'ava';

const ONCE = fileURLToPath(new URL('../../src/cli/once.js', import.meta.url));
const LINES = 50_000;
const SCRIPT = `
	import {runOnce} from ${JSON.stringify(ONCE)};
	await runOnce(async ({print}) => { for (let n = 0; n < ${LINES}; n++) print('line ' + n); return 3; });
`;
const ARGUMENTS = ['--input-type=module', '--eval', SCRIPT];

function print() {
	return spawn(process.execPath, ARGUMENTS, {stdio: ['ignore', 'pipe', 'inherit']});
}

test("a slow reader gets every line, and the exit code is the command's", async t => {
	const command = print();
	command.stdout.setEncoding('utf8');
	const chunks: string[] = [];
	// Nothing is read before the command has filled the pipe.
	await once(command.stdout, 'readable');
	for await (const chunk of command.stdout) {
		chunks.push(chunk);
	}

	t.is(chunks.join('').trimEnd().split('\n').length, LINES);
	t.is(command.exitCode ?? (await once(command, 'exit'))[0], 3);
});

test('a reader that closes the pipe ends the command without an error', async t => {
	const command = print();
	await once(command.stdout, 'data');
	command.stdout.destroy();

	t.is((await once(command, 'exit'))[0], 0);
});

test('so does a reader whose socket closes with something unread', async t => {
	const server = createServer().listen(0, '127.0.0.1');
	t.teardown(() => server.close());
	await once(server, 'listening');
	const reader = connect((server.address() as AddressInfo).port, '127.0.0.1');
	const [stdout] = (await once(server, 'connection')) as [Socket];
	const command = spawn(process.execPath, ARGUMENTS, {stdio: ['ignore', stdout, 'inherit']});
	stdout.destroy();
	await once(reader, 'data');
	reader.resetAndDestroy();

	t.is((await once(command, 'exit'))[0], 0);
});
