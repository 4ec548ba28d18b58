import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {fileURLToPath} from 'node:url';
import test from 'ava';
import {dataFolder} from '../helpers/bothy.js';

test('a worker that closes while Redis is away leaves nothing that keeps its process alive', async t => {
	const program = fileURLToPath(new URL('closing-process.js', import.meta.url));
	const child = spawn(process.execPath, [program, await dataFolder(t)], {stdio: 'inherit'});
	t.teardown(() => child.kill('SIGKILL'));

	t.deepEqual(await once(child, 'exit'), [0, null]);
});
