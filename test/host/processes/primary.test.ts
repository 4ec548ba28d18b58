import {spawn} from 'node:child_process';
import {EventEmitter, once} from 'node:events';
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {text} from 'node:stream/consumers';
import {fileURLToPath} from 'node:url';
import test, {type ExecutionContext} from 'ava';
import {explain, listenError} from '../../../src/host/explain.js';
import {listenTarget, openSocket} from '../../../src/host/processes/listening-socket.js';
import {openPrimary, type PrimaryOptions} from '../../../src/host/processes/primary.js';
import {ReceiverStartError} from '../../../src/host/processes/receiver-process.js';
import {untilFound} from '../../helpers/until.js';
import {ask, askSteadily, askUntil, openAnswer} from './requests.js';

const programOf = (name: string) => fileURLToPath(new URL(`${name}.js`, import.meta.url));

/** A file that tells each receiver that starts from then on how to misbehave. */
async function instructionsFile(t: ExecutionContext) {
	const folder = await mkdtemp(join(tmpdir(), 'bothy-primary-'));
	t.teardown(() => rm(folder, {recursive: true, force: true}));
	const file = join(folder, 'instructions');
	return {
		env: {...process.env, TEST_INSTRUCTIONS: file},
		instruct: (instructions: string) => writeFile(file, instructions),
		/** The process ids of all started receivers, once there are this many. */
		pids(count: number): Promise<number[]> {
			return untilFound(async () => {
				const text = await readFile(`${file}-pids`, 'utf8').catch(() => '');
				const pids = (text.match(/\d+/g) ?? []).map(Number);
				return pids.length >= count ? pids : undefined;
			});
		},
	};
}

/** A log whose lines a test can wait for. */
function createTestLog() {
	const lines: {level: string; message: string; fields: Record<string, unknown>}[] = [];
	const written = new EventEmitter();
	const write = (level: string) => (fields: object, message: string) => {
		lines.push({level, message, fields: {...fields}});
		written.emit('line');
	};

	return {
		lines,
		info: write('info'),
		warn: write('warn'),
		error: write('error'),
		async until(isThere: () => boolean) {
			while (!isThere()) {
				await once(written, 'line');
			}
		},
	};
}

async function open(t: ExecutionContext, options: Partial<PrimaryOptions> = {}) {
	const log = createTestLog();
	const primary = await openPrimary({
		count: 2,
		exec: programOf('small-receiver'),
		args: [],
		listen: {host: '127.0.0.1', port: 0},
		log,
		graceMs: 5000,
		...options,
	});
	t.teardown(() => primary.close());
	return {primary, log};
}

async function start(t: ExecutionContext, options: Partial<PrimaryOptions> = {}) {
	const {primary, log} = await open(t, options);
	await primary.start();
	const url = primary.address();
	return {primary, log, url, askUntil: (fits: Parameters<typeof askUntil>[1]) => askUntil(url, fits)};
}

test('both receivers get requests', async t => {
	const {url, askUntil} = await start(t);

	const one = await ask(url);
	const other = await askUntil(({process}) => process !== one.process);

	t.not(one.pid, other.pid);
});

for (const count of [1, 2]) {
	test(`with ${count}: a receiver that is killed under load refuses no connection and is replaced`, async t => {
		const {url, log, askUntil} = await start(t, {count});
		const steady = askSteadily(url);
		const gone = new Set<string>();

		for (let kills = 0; kills < 3; kills += 1) {
			const {pid, process: id} = await askUntil(({process}) => !gone.has(process));
			gone.add(id);
			process.kill(pid, 'SIGKILL');
			await log.until(() => log.lines.filter(({message}) => message === 'a receiver is ready').length > count + kills);
		}

		const known = await askUntil(({process, dead}) => !gone.has(process) && [...gone].every(id => dead.includes(id)));
		const {answered, failures} = await steady.stop();
		t.is(known.dead.length, 3);
		t.true(answered > 0);
		// Connections that the killed receivers had accepted break. The service posts again.
		t.deepEqual(
			failures.filter(code => code !== 'ECONNRESET'),
			[],
		);
		t.true(failures.length <= 3 * 8);
	});
}

test('living receivers learn of the dead ones, and so do receivers that start later', async t => {
	const {log, askUntil} = await start(t);
	const first = await askUntil(() => true);
	const survivor = await askUntil(({process}) => process !== first.process);

	process.kill(first.pid, 'SIGKILL');

	const told = await askUntil(({process, dead}) => process === survivor.process && dead.length > 0);
	t.deepEqual(told.dead, [first.process]);
	const successor = await askUntil(({process}) => process !== survivor.process);
	t.deepEqual(successor.dead, [first.process]);
	const {level, fields} = log.lines.find(({message}) => message.startsWith('a receiver ended')) ?? {};
	t.is(level, 'error');
	t.like(fields, {process: first.process, receiver: first.pid, ended: 'SIGKILL'});
});

test('a roll under load replaces every receiver, and every request is answered', async t => {
	const {primary, url, askUntil} = await start(t);
	const first = await askUntil(() => true);
	const second = await askUntil(({process}) => process !== first.process);
	const steady = askSteadily(url);

	await primary.roll();
	await primary.roll();

	const {dead} = await askUntil(({dead}) => dead.length === 4);
	const {answered, failures} = await steady.stop();
	t.true(dead.includes(first.process) && dead.includes(second.process));
	t.true(answered > 0);
	t.deepEqual(failures, []);
});

test('a roll lets the old receivers finish their requests', async t => {
	const {primary, url} = await start(t, {count: 1});
	const response = await openAnswer(`${url}/slow`);
	const before = await ask(url);

	await primary.roll();

	t.is(JSON.parse(await text(response)).process, before.process);
	t.not((await ask(url)).process, before.process);
});

test('a receiver that is slow to drain does not delay the successor of the next', async t => {
	const {env, instruct, pids} = await instructionsFile(t);
	await instruct('never drain');
	const {primary, log} = await start(t, {env, graceMs: 60_000});
	const old = await pids(2);
	await instruct('');

	const rolled = primary.roll();
	await log.until(() => log.lines.filter(({message}) => message === 'a receiver is ready').length === 4);

	for (const pid of old) {
		process.kill(pid, 'SIGKILL');
	}

	await t.notThrowsAsync(rolled);
});

test('a roll whose first new receiver fails keeps the old ones and reports the reason', async t => {
	const {env, instruct} = await instructionsFile(t);
	const {primary, url} = await start(t, {env, count: 1});
	const before = await ask(url);
	await instruct('fail Expected a bot, found none.');

	await t.throwsAsync(primary.roll(), {instanceOf: ReceiverStartError, message: 'Expected a bot, found none.'});

	t.is((await ask(url)).process, before.process);
	await instruct('');
	await primary.roll();
	t.not((await ask(url)).process, before.process);
});

test('a receiver that fails at the start fails the primary with its error, and no process beside it starts', async t => {
	const {env, instruct, pids} = await instructionsFile(t);
	await instruct('fail [echo]: expected `token`, found nothing.');

	await t.throwsAsync(start(t, {env, count: 2, besides: [{TEST_LISTENS: 'no'}]}), {
		instanceOf: ReceiverStartError,
		message: '[echo]: expected `token`, found nothing.',
	});
	t.true((await pids(1)).length <= 2);
});

test('a receiver that ends silently at the start fails the primary with its exit code', async t => {
	const {env, instruct} = await instructionsFile(t);
	await instruct('exit 3');

	await t.throwsAsync(start(t, {env}), {
		instanceOf: ReceiverStartError,
		message: 'The receiver ended with code 3 before it was ready.',
	});
});

test('a receiver that never becomes ready fails the primary', async t => {
	const {env, instruct} = await instructionsFile(t);
	await instruct('never start');

	await t.throwsAsync(start(t, {env, startMs: 500, graceMs: 500}), {
		instanceOf: ReceiverStartError,
		message: 'The receiver was not ready within 0.5 s. Check the load of this machine, then start again.',
	});
});

test("a port in use fails the primary with the system's error code", async t => {
	const {url} = await start(t);

	await t.throwsAsync(start(t, {listen: {host: '127.0.0.1', port: Number(new URL(url).port)}}), {code: 'EADDRINUSE'});
});

test('an address that is not of this machine is reported with its variable', async t => {
	const error = await t.throwsAsync(start(t, {listen: {host: '192.0.2.1', port: 0}}));

	t.is(
		explain(listenError(error, 0, 'PORT')),
		'bothy: HOST: expected an address of this machine, such as 127.0.0.1, 0.0.0.0 or ::1, found "192.0.2.1" (EADDRNOTAVAIL)',
	);
});

test('failed replacements are retried with growing delays until one is ready', async t => {
	const {env, instruct} = await instructionsFile(t);
	const {url, log} = await start(t, {env, count: 1});
	const {pid, process: id} = await ask(url);
	const failures = () => log.lines.filter(({message}) => message === 'a receiver failed to start');
	await instruct('fail out of order');

	process.kill(pid, 'SIGKILL');
	// Nobody lives; it waits.
	const waiting = ask(url).catch(() => ask(url));
	await log.until(() => failures().length >= 4);
	await instruct('');

	t.not((await waiting).process, id);
	const delays = failures().map(({fields}) => Number(fields.retryMs));
	t.deepEqual(
		delays,
		delays.toSorted((a, b) => a - b),
	);
	t.true(delays.at(-1) !== delays[0]);
	t.is(failures()[0]?.fields.reason, 'out of order');
});

test('a receiver that does not drain is killed after its grace', async t => {
	const {env, instruct} = await instructionsFile(t);
	await instruct('never drain');
	const {primary, log} = await start(t, {env, count: 1, graceMs: 200});

	await primary.close();

	t.like(log.lines.at(-1), {level: 'warn', fields: {ended: 'SIGKILL'}});
});

test('after close no process listens', async t => {
	const {primary, url} = await start(t);

	await primary.close();

	await t.throwsAsync(ask(url), {code: 'ECONNREFUSED'});
});

test('while a receiver that does not listen drains, connections are refused and do not hang', async t => {
	const {env, pids} = await instructionsFile(t);
	const {primary, log, url} = await start(t, {env, count: 1, graceMs: 60_000, besides: [{TEST_LISTENS: 'no'}]});
	const all = await pids(2);
	const {pid} = await ask(url);

	const closed = primary.close();
	await log.until(() => log.lines.some(({message}) => message === 'a receiver drained'));

	await t.throwsAsync(ask(url), {code: 'ECONNREFUSED'});
	process.kill(all.find(other => other !== pid) ?? 0, 'SIGKILL');
	await closed;
});

async function spawnPrimary(t: ExecutionContext, {env = {}, fd}: {env?: NodeJS.ProcessEnv; fd?: number} = {}) {
	const stdio: ('ignore' | 'pipe' | 'inherit' | number)[] = ['ignore', 'pipe', 'inherit', fd ?? 'ignore'];
	const child = spawn(process.execPath, [programOf('small-primary')], {env: {...process.env, ...env}, stdio});
	// Resolves when it and all its receivers, which share its output, are gone.
	const ended = once(child, 'close');
	t.teardown(async () => {
		child.kill('SIGTERM');
		await ended;
	});
	if (!child.stdout) {
		throw new Error('Expected a pipe as its output.');
	}

	const [url] = await once(createInterface(child.stdout), 'line');
	return {child, url: String(url), ended};
}

test('when the primary is killed its receivers finish their work and end', async t => {
	const {child, url, ended} = await spawnPrimary(t);
	const response = await openAnswer(`${url}/slow`);

	child.kill('SIGKILL');

	t.truthy(JSON.parse(await text(response)).pid);
	await ended;
	await t.throwsAsync(ask(url), {code: 'ECONNREFUSED'});
});

test('with a socket from outside a full restart refuses no connection', async t => {
	const socket = await openSocket({host: '127.0.0.1', port: 0});
	t.teardown(() => socket.close());
	const env = {LISTEN_FDS: '1'};
	const first = await spawnPrimary(t, {env, fd: socket.fd});
	const steady = askSteadily(first.url);
	const before = await ask(first.url);

	first.child.kill('SIGTERM');
	await first.ended;
	const meanwhile = ask(first.url);
	const second = await spawnPrimary(t, {env, fd: socket.fd});

	t.is(second.url, first.url);
	t.not((await meanwhile).process, before.process);
	const {answered, failures} = await steady.stop();
	t.true(answered > 0);
	t.deepEqual(failures, []);
});

test('a socket from systemd is used only if it is for this process', t => {
	const own = {host: '127.0.0.1', port: 8080};

	t.deepEqual(listenTarget({}, own), own);
	t.deepEqual(listenTarget({LISTEN_FDS: '1'}, own), {fd: 3});
	t.deepEqual(listenTarget({LISTEN_FDS: '1', LISTEN_PID: String(process.pid)}, own), {fd: 3});
	t.deepEqual(listenTarget({LISTEN_FDS: '1', LISTEN_PID: '1'}, own), own);
	t.deepEqual(listenTarget({LISTEN_FDS: '0'}, own), own);
});

test('the first receiver loads its code while the primary waits for the rest of the environment', async t => {
	const {env, pids} = await instructionsFile(t);
	const launched = pids(1);
	const {url, askUntil} = await start(t, {env, count: 2, lateEnv: launched.then(() => ({TEST_LATE: 'yes'}))});
	const [first] = await launched;

	t.like(await ask(url), {late: 'yes'});
	t.like(await askUntil(({pid}) => pid === first), {late: 'yes'});
	t.like(await askUntil(({pid}) => pid !== first), {late: 'yes'});
});

test('without the rest of the environment, the start fails and no receiver is left', async t => {
	const {env, pids} = await instructionsFile(t);
	const launched = pids(1);
	const lateEnv = launched.then(() => Promise.reject(new Error('Redis did not start.')));

	await t.throwsAsync(start(t, {env, lateEnv}), {message: 'Redis did not start.'});
	const [first = 0] = await launched;
	t.throws(() => process.kill(first, 0), {code: 'ESRCH'});
});

test('a stop during the start lets the receiver that is ready finish its work', async t => {
	const {env} = await instructionsFile(t);
	const never = await instructionsFile(t);
	await never.instruct('never start');
	const {primary} = await open(t, {env, count: 1, besides: [{TEST_INSTRUCTIONS: never.env.TEST_INSTRUCTIONS}]});
	t.false(primary.isServing);
	const starting = t.throwsAsync(primary.start());
	await never.pids(1);
	t.true(primary.isServing);
	const response = await openAnswer(`${primary.address()}/slow`);

	await primary.close();

	t.truthy(JSON.parse(await text(response)).pid);
	await starting;
});

test('a roll during the start begins when all have started', async t => {
	const {env, pids} = await instructionsFile(t);
	const {primary, log} = await open(t, {env, lateEnv: pids(1).then(() => ({}))});

	await Promise.all([primary.start(), primary.roll()]);

	const all = await pids(4);
	const drained = log.lines.filter(({message}) => message === 'a receiver drained').map(({fields}) => fields.receiver);
	t.is(all.length, 4);
	t.deepEqual(new Set(drained), new Set(all.slice(0, 2)));
});

test('a renewal replaces receivers with waiting ones, and does not wait for those that drain', async t => {
	const {env, instruct, pids} = await instructionsFile(t);
	await instruct('never drain');
	const {primary, url, askUntil} = await start(t, {env, count: 1, spares: true});
	const before = await ask(url);
	const [first = 0, waiting = 0] = await pids(2);
	await instruct('');

	await primary.renew();

	t.is(before.pid, first);
	t.true(process.kill(before.pid, 0));
	// The old one, which never drains, still listens as well.
	t.like(await askUntil(({pid}) => pid !== before.pid), {pid: waiting});
});

test('a waiting receiver that was killed replaces no other', async t => {
	const {env, pids} = await instructionsFile(t);
	const {primary, url, log} = await start(t, {env, count: 1, spares: true});
	const [first = 0, waiting = 0] = await pids(2);
	process.kill(waiting, 'SIGKILL');

	await primary.renew().catch(() => primary.renew());

	t.false([first, waiting].includes((await ask(url)).pid));
	t.deepEqual(
		log.lines.filter(({level}) => level === 'error'),
		[],
	);
});

test('a renewal that fails keeps the old receiver and reports the reason', async t => {
	const {env, instruct} = await instructionsFile(t);
	const {primary, url} = await start(t, {env, count: 1, spares: true});
	const before = await ask(url);
	await instruct('fail Expected a bot, found none.');

	await t.throwsAsync(primary.renew(), {instanceOf: ReceiverStartError, message: 'Expected a bot, found none.'});

	t.is((await ask(url)).pid, before.pid);
	await instruct('');
	await primary.renew();
	t.not((await ask(url)).pid, before.pid);
});
