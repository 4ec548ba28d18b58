import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {text} from 'node:stream/consumers';
import {setTimeout as delay} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import test, {type ExecutionContext} from 'ava';
import {dataFolder} from '../../helpers/bothy.js';

const PROGRAM = fileURLToPath(new URL('watched-process.js', import.meta.url));
const STALL_MS = 500;
/** For processes that must continue. A busy machine also blocks a process, but not for this long. */
const LONG_STALL_MS = 2_000;

function startWatched(
	t: ExecutionContext,
	task: string,
	{stallMs = STALL_MS, more = []}: {stallMs?: number; more?: readonly string[]} = {},
) {
	const child = spawn(process.execPath, [PROGRAM, task, String(stallMs), ...more], {
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	t.teardown(() => child.kill('SIGKILL'));
	return child;
}

async function endOf(child: ChildProcess & {stdout: NodeJS.ReadableStream}) {
	const [output, [code, signal]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
	return {output, code, signal};
}

test('an endless loop ends the process, and one log line names the delivery and the line of code', async t => {
	const startedAt = performance.now();

	const {output, signal} = await endOf(startWatched(t, 'loop'));

	t.is(signal, 'SIGKILL');
	t.true(performance.now() - startedAt > STALL_MS);
	const line = JSON.parse(output);
	t.is(line.level, 60);
	t.false(Number.isNaN(Date.parse(line.time)));
	t.is(line.running, 2);
	t.deepEqual([...line.deliveries].sort(), ['first echo', 'second looper']);
	t.regex(line.stack[0], /^loopForEver \(file:.*watched-process\.ts:\d+:\d+\)$/);
	t.regex(line.msg, /was blocked for [\d.]+ s/);
});

test('the stack names the TypeScript source and line of a bot', async t => {
	const folder = await dataFolder(t);
	const file = join(folder, 'loop.mts');
	await writeFile(
		file,
		'interface Counter {\n\tcount: number;\n}\n\nfunction spin(counter: Counter): never {\n\tfor (;;) {\n\t\tcounter.count++;\n\t}\n}\n\nspin({count: 0});\n',
	);

	const {output} = await endOf(startWatched(t, 'typed', {stallMs: LONG_STALL_MS, more: [file]}));

	const [at, from] = JSON.parse(output).stack;
	t.regex(at, /^spin \(file:.*\/loop\.mts:[67]:\d+\)$/);
	t.regex(from, /\/loop\.mts:11:1\)$/);
});

for (const [size, mappings, place] of [
	['large', 100_000, 'loop\\.ts'],
	['huge', 4_000_000, 'loop\\.mjs'],
] as const) {
	test(`an endless loop ends the process if its script has a ${size} source map`, async t => {
		const folder = await dataFolder(t);
		const file = join(folder, 'loop.mjs');
		const map = {version: 3, sources: ['loop.ts'], names: [], mappings: `AAAA${',CAAC'.repeat(mappings)}`};
		await writeFile(`${file}.map`, JSON.stringify(map));
		await writeFile(file, '(function spin() { for (;;) {} })();\n//# sourceMappingURL=loop.mjs.map\n');

		const {output, signal} = await endOf(startWatched(t, 'plain', {more: [file]}));

		t.is(signal, 'SIGKILL');
		t.regex(JSON.parse(output).stack[0], new RegExp(`^spin \\(file:.*/${place}:1:\\d+\\)$`));
	});
}

test("deliveries beyond the log's limit are counted, and each name is cut to its limit", async t => {
	const {output, signal} = await endOf(startWatched(t, 'crowd'));

	t.is(signal, 'SIGKILL');
	const {running, deliveries} = JSON.parse(output);
	t.is(running, 1000);
	t.is(deliveries.length, 256);
	t.true(deliveries.every((name: string) => /^delivery \d+ ü+$/.test(name) && Buffer.byteLength(name) <= 255));
});

test('a watchdog does not keep its process alive', async t => {
	const {code} = await endOf(startWatched(t, 'idle', {stallMs: LONG_STALL_MS}));

	t.is(code, 0);
});

test('an event loop that is blocked for less than the limit continues', async t => {
	const {code} = await endOf(startWatched(t, 'stutter', {stallMs: LONG_STALL_MS}));

	t.is(code, 0);
});

test('a process that gets no CPU time for longer than the limit continues', async t => {
	const {code} = await endOf(startWatched(t, 'starve'));

	t.is(code, 0);
});

test('a process that waits for ever, without computing, ends', async t => {
	const {output, signal} = await endOf(startWatched(t, 'wait'));

	t.is(signal, 'SIGKILL');
	t.regex(JSON.parse(output).msg, /was blocked for 3 s/);
});

test('a process that was suspended for longer than the limit continues', async t => {
	const child = startWatched(t, 'talk', {stallMs: LONG_STALL_MS});
	const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
	await lines.next();

	// Only time tells: it is suspended for longer than the limit, and then has as long to be taken for a blocked one.
	child.kill('SIGSTOP');
	await delay(1.5 * LONG_STALL_MS);
	child.kill('SIGCONT');
	await delay(1.5 * LONG_STALL_MS);
	child.stdin.write('still there\n');

	t.is((await lines.next()).value, 'still there');
	t.is(child.signalCode, null);
});
