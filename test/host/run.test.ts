import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {fileURLToPath} from 'node:url';
import test, {type ExecutionContext} from 'ava';
import {readSettings} from '../../src/config/settings.js';
import {openRedis} from '../../src/host/connections.js';
import {createTeardown} from '../../src/host/teardown.js';
import {createLog} from '../../src/log.js';
import {CALM, dataFolder} from '../helpers/bothy.js';
import {plainRedis} from '../helpers/plain-redis.js';

const START = new URL('./slow-start.js', import.meta.url);
const RELOAD = new URL('./slow-reload.js', import.meta.url);

/** What a command printed that is told to stop at its first line. */
async function stopped(t: ExecutionContext, program: URL, ...words: string[]) {
	const env = {...process.env, ...CALM};
	const child = spawn(process.execPath, [fileURLToPath(program), ...words], {
		env,
		stdio: ['ignore', 'pipe', 'inherit'],
	});
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
	t.deepEqual(await stopped(t, START, 'serves'), {code: 0, output: 'opened\nclosed\n'});
});

test('a stop during the start waits for nothing that serves nobody', async t => {
	t.deepEqual(await stopped(t, START), {code: 0, output: 'opened\n'});
});

test('a stop during a reload lets the old work finish', async t => {
	t.deepEqual(await stopped(t, RELOAD, 'endless'), {code: 0, output: 'opening\nclosing\nclosed\n'});
});

test('a stop while a reload closes the old work lets it finish', async t => {
	t.deepEqual(await stopped(t, RELOAD), {code: 0, output: 'closing\nclosed\n'});
});

test('what opens while the private Redis starts closes before Redis does', async t => {
	const teardown = createTeardown(error => t.fail(String(error)));
	const settings = readSettings({...CALM, BOTHY_DATA: await dataFolder(t)});
	const opening = openRedis({settings, log: createLog({level: 'silent', pretty: false}), teardown});
	let answer: string | undefined;
	teardown.add(async () => {
		const redis = plainRedis(await opening, {retryStrategy: null});
		redis.on('error', () => {});
		answer = await redis.ping().finally(() => redis.disconnect());
	});
	await opening;

	await teardown.run();

	t.is(answer, 'PONG');
});
