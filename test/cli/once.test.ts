// What a command prints reaches its reader in full, however slowly that one reads.

import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {fileURLToPath} from 'node:url';
import test from 'ava';

const ONCE = fileURLToPath(new URL('../../src/cli/once.js', import.meta.url));
const LINES = 50_000;

function print(lines: number) {
	const script = `
		import {runOnce} from ${JSON.stringify(ONCE)};
		await runOnce(async ({print}) => { for (let n = 0; n < ${lines}; n++) print('line ' + n); return 3; });
	`;
	return spawn(process.execPath, ['--input-type=module', '--eval', script], {stdio: ['ignore', 'pipe', 'inherit']});
}

test("a slow reader gets every line, and the exit code is the command's", async t => {
	const command = print(LINES);
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
	const command = print(LINES);
	await once(command.stdout, 'data');
	command.stdout.destroy();

	t.is((await once(command, 'exit'))[0], 0);
});
