import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {fileURLToPath} from 'node:url';
import test, {type ExecutionContext} from 'ava';

const PROGRAM = fileURLToPath(new URL('./slow-start.js', import.meta.url));

/** What a command printed that is told to stop while it starts. */
async function stopped(t: ExecutionContext, ...words: string[]) {
	const child = spawn(process.execPath, [PROGRAM, ...words], {stdio: ['ignore', 'pipe', 'inherit']});
	t.teardown(() => child.kill('SIGKILL'));
	let output = '';
	child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
		if (output === '') {
			child.kill('SIGTERM');
		}

		output += chunk;
	});
	const [code] = await once(child, 'close');
	return {code, output};
}

test('a stop during the start waits for what serves others already', async t => {
	t.deepEqual(await stopped(t, 'serves'), {code: 0, output: 'opened\nclosed\n'});
});

test('a stop during the start waits for nothing that serves nobody', async t => {
	t.deepEqual(await stopped(t), {code: 0, output: 'opened\n'});
});
