// Deliveries while Redis is frozen, and answers whose connections break. A frozen Redis later runs every command that
// it received, which is the hardest case.

import test, {type ExecutionContext} from 'ava';
import {AWAY_ANSWER, FULL_ANSWER, SILENCE} from '../../src/delivery/answers.js';
import {createDeliveries, type DeliveriesOptions} from '../../src/delivery/deliveries.js';
import type {Answer, Arrival} from '../../src/delivery/receive.js';
import {createRedisStore} from '../../src/delivery/redis-store.js';
import {deliveryRef} from '../../src/delivery/ref.js';
import {type DeliveryStore, LAST_ARRIVAL_MS, LAST_EXCUSED_RUN} from '../../src/delivery/store.js';
import type {AccountRules, Task} from '../../src/delivery/task.js';
import {createWaitingRoom} from '../../src/delivery/waiting-room.js';
import {workText} from '../../src/delivery/work.js';
import {accountKey} from '../../src/redis/account-key.js';
import {createAvailability, StoreUnavailable} from '../../src/redis/availability.js';
import {createValueStore} from '../../src/storage/values.js';
import {openFreezable} from '../helpers/freezable-redis.js';
import {payload} from '../helpers/payload.js';
import {startRedis} from '../helpers/redis.js';
import {until} from '../helpers/until.js';

const account = (rules: Partial<AccountRules> = {}): AccountRules => ({
	site: 'https://chat.example.com',
	email: 'echo-bot@chat.example.com',
	deadlineMs: 60_000,
	timeoutMs: 60_000,
	concurrency: 100,
	perMinute: 0,
	hasSession: false,
	...rules,
});

interface HostOptions
	extends Pick<Partial<DeliveriesOptions<AccountRules>>, 'process' | 'isDead' | 'recover' | 'elapsed' | 'showTyping'> {
	readonly rules?: Partial<AccountRules>;
	readonly room?: number;
	/** Redis of another host. Default: one of its own. */
	readonly url?: string;
	/** A proxy in front of Redis. */
	readonly changeStore?: (store: DeliveryStore) => Partial<DeliveryStore>;
	handle(task: Task<AccountRules>): Promise<unknown>;
}

/** One process with the connection that receivers have, and a Redis that can be frozen. */
async function startHost(t: ExecutionContext, options: HostOptions) {
	const {rules = {}, room = 100, url = await startRedis(t), changeStore = () => ({}), ...more} = options;
	const {redis, connection, freeze, thaw} = await openFreezable(t, url);

	const logged: string[] = [];
	const log = {
		info: (_: object, message: string) => logged.push(message),
		warn: (_: object, message: string) => logged.push(message),
		error: (_: object, message: string) => logged.push(message),
	};
	const availability = createAvailability({probe: () => connection.set('{bothy}:probe', '1'), log});
	t.teardown(() => availability.close());
	const by = account(rules);
	const own = createRedisStore(connection);
	const deliveries = createDeliveries<AccountRules>({
		process: 'process-1',
		store: {...own, ...changeStore(own)},
		availability,
		waitingRoom: createWaitingRoom({deliveries: room, bytes: 1_000_000}),
		isDead: () => false,
		log,
		async enqueue() {},
		...more,
	});
	t.teardown(() => deliveries.close(0));
	// A connection of its own, to read what Redis stores.
	const store = createRedisStore(redis);
	const arrived = payload();
	const receive = (more: Partial<Arrival<AccountRules>> = {}) =>
		deliveries.receive({
			account: by,
			work: {kind: 'message', payload: arrived},
			arrivedAt: performance.now(),
			...more,
		});
	return {
		url,
		receive,
		deliveries,
		claim: (nonce: string) =>
			store.claim(deliveryRef(by, arrived), {
				nonce,
				work: workText({kind: 'message', payload: arrived}),
				sender: 9,
				perMinute: 0,
			}),
		values: createValueStore(connection),
		logged,
		freeze,
		thaw,
		away: () => until(async () => availability.isAway),
		store,
		/** Deliveries that a sweep finds now. */
		due: async () => (await store.due(deliveryRef(by, arrived).account, 10)).map(({id}) => id),
		entry: () => store.read(deliveryRef(by, arrived)),
		/** Moves its first arrival back in time. */
		async age(ms: number) {
			const {account, id} = deliveryRef(by, arrived);
			await redis.hincrby(accountKey(redis, account, `delivery:${id}`), 'at', -ms);
		},
		/** Posts that remain when the delivery has ended. */
		async outbox() {
			await until(async () => (await store.read(deliveryRef(by, arrived)))?.status === 'done');
			return (await store.read(deliveryRef(by, arrived)))?.outbox.map(({text, mayBePosted}) => ({text, mayBePosted}));
		},
	};
}

/** A step that Redis runs late. It looks as if no answer came. */
function lateAnswer(): Error {
	return new Error('Command timed out');
}

/** Lets the host look at its clock until it has answered. */
async function ticked(host: {deliveries: {tick(): void}}, answering: Promise<Answer>): Promise<Answer> {
	let answer: Answer | undefined;
	void answering.then(found => {
		answer = found;
	});
	await until(async () => {
		host.deliveries.tick();
		return answer !== undefined;
	});
	return answering;
}

const hello = async ({run: {say}}: Task<AccountRules>) => say.reply('hello');

test('a delivery that arrives while Redis is frozen is answered inline when Redis is back in time', async t => {
	let runs = 0;
	const host = await startHost(t, {
		async handle(task) {
			runs++;
			await hello(task);
		},
	});
	host.freeze();

	const answer = host.receive();
	await host.away();
	t.is(runs, 0, 'a bot runs only after Redis has accepted its delivery');
	host.thaw();

	t.is((await answer).body, '{"content":"hello"}');
	t.is(runs, 1);
	t.is((await host.entry())?.runs, 1);
});

test('a delivery whose deadline comes before Redis is back gets a text, and its answer is posted later', async t => {
	let runs = 0;
	const host = await startHost(t, {
		rules: {deadlineMs: 50},
		async handle(task) {
			runs++;
			await hello(task);
		},
	});
	host.freeze();

	t.is((await host.receive()).body, AWAY_ANSWER);
	t.is(runs, 0);
	host.thaw();

	t.deepEqual(await host.outbox(), [{text: 'hello', mayBePosted: false}]);
	t.is(runs, 1);
});

test('an answer whose finish cannot be confirmed is posted once, and not written', async t => {
	let now = 0;
	const host = await startHost(t, {
		rules: {deadlineMs: 50},
		elapsed: () => now,
		async handle(task) {
			host.freeze();
			now = 2_000;
			await hello(task);
		},
	});

	t.is((await ticked(host, host.receive({arrivedAt: 0}))).body, AWAY_ANSWER);
	host.thaw();
	// Redis may run a finish that it received before: inline, until this process reports that no connection carries the answer.
	await until(async () => (await host.entry())?.decision === 'late');

	t.deepEqual(await host.outbox(), [{text: 'hello', mayBePosted: false}]);
});

test('a handler waits for Redis when it sends, schedules and stores', async t => {
	const host = await startHost(t, {
		async handle({run: {say, writer, retry}}) {
			const values = host.values(writer, retry);
			host.freeze();
			const done = Promise.all([
				say.send({target: '{"dm":[9]}', text: 'sent'}),
				say.schedule({target: '{"dm":[9]}', text: 'scheduled', dueAt: 9_000_000_000_000, name: 'x'}),
				values.put('count', '1', {text: undefined}),
			]);
			await host.away();
			host.thaw();
			const [, , put] = await done;
			await say.reply(put);
		},
	});

	// A put that Redis ran late gets its first result. A new comparison would find the put's own value.
	t.is((await host.receive()).body, '{"content":"put"}');
	t.deepEqual((await host.entry())?.outbox.map(({text}) => text).sort(), ['scheduled', 'sent']);
});

test('a send that waits for Redis throws at the time limit of its handler', async t => {
	let thrown: unknown;
	const host = await startHost(t, {
		rules: {deadlineMs: 50, timeoutMs: 50},
		async handle({run: {say}}) {
			host.freeze();
			await say.send({target: '{"dm":[9]}', text: 'sent'}).catch(error => {
				thrown = error;
			});
			host.thaw();
		},
	});

	await host.receive();
	await until(async () => thrown !== undefined);

	t.true(thrown instanceof StoreUnavailable, String(thrown));
});

test('a delivery that does not fit the waiting room is refused with a text', async t => {
	const host = await startHost(t, {room: 1, handle: hello});
	host.freeze();
	const first = host.receive();
	await host.away();

	t.is((await host.receive()).body, FULL_ANSWER);
	host.thaw();

	t.is((await first).body, '{"content":"hello"}');
});

test('a stop while Redis is away says how many deliveries are lost', async t => {
	const host = await startHost(t, {rules: {deadlineMs: 50}, handle: hello});
	host.freeze();
	await host.receive();

	await host.deliveries.close(0);

	t.true(host.logged.includes('Redis is away; these deliveries are lost with this process'));
});

test('an answer is late if no connection can carry it', async t => {
	const host = await startHost(t, {handle: hello});

	t.is((await host.receive({isOpen: () => false})).body, SILENCE);

	t.deepEqual(await host.outbox(), [{text: 'hello', mayBePosted: false}]);
});

test('an answer whose connection closed before it was written is posted without a search', async t => {
	const host = await startHost(t, {handle: hello});

	const {outcome} = await host.receive();
	outcome?.onLost();
	await until(async () => (await host.entry())?.decision === 'late');

	t.deepEqual(await host.outbox(), [{text: 'hello', mayBePosted: false}]);
});

// The kernel knows that the service has gone, and the process learns it a turn later.
for (const [when, isRepeat] of [
	['while its run ended', false],
	['while its repeat was claimed', true],
] as const) {
	test(`an answer whose connection closed ${when} is posted without a search`, async t => {
		let isOpen = true;
		const closeSoon = <Result>(result: Result) => {
			setImmediate(() => setImmediate(() => (isOpen = false)));
			return result;
		};
		const host = await startHost(t, {
			handle: hello,
			changeStore: ({claim, finish}) => ({
				claim: (...args) => claim(...args).then(claimed => (claimed.kind === 'answer' ? closeSoon(claimed) : claimed)),
				finish: (...args) => finish(...args).then(standing => (isRepeat ? standing : closeSoon(standing))),
			}),
		});
		if (isRepeat) {
			const {outcome} = await host.receive();
			outcome?.onFlushed();
		}

		const {outcome} = await host.receive({isOpen: () => isOpen});
		t.is(outcome, undefined);
		await until(async () => (await host.entry())?.decision === 'late');

		t.deepEqual(await host.outbox(), [{text: 'hello', mayBePosted: false}]);
	});
}

test('an answer that a later connection carries is not lost with the first connection', async t => {
	const host = await startHost(t, {handle: hello});

	const first = await host.receive();
	const second = await host.receive();
	first.outcome?.onLost();
	second.outcome?.onFlushed();
	await host.deliveries.close(0);

	t.is(second.body, '{"content":"hello"}');
	t.is((await host.entry())?.decision, 'inline');
	t.deepEqual(await host.outbox(), []);
});

test('the third repeat is the last: it gets silence, and a worker posts the answer', async t => {
	const host = await startHost(t, {handle: hello});

	const bodies = [];
	for (let n = 1; n <= 4; n++) {
		const {body, outcome} = await host.receive();
		bodies.push(body);
		// The network took it. The service asks again, so it has not read it.
		outcome?.onFlushed();
	}

	t.deepEqual(bodies, [...Array.from({length: 3}, () => '{"content":"hello"}'), SILENCE]);
	t.deepEqual(await host.outbox(), [{text: 'hello', mayBePosted: false}]);
});

test('a repeat for which no attempt is left by the clock is the last one, even if earlier ones never arrived', async t => {
	const host = await startHost(t, {handle: hello});
	const {outcome} = await host.receive();
	outcome?.onFlushed();
	await host.age(LAST_ARRIVAL_MS / 2);
	const second = await host.receive();
	second.outcome?.onFlushed();
	t.is(second.body, '{"content":"hello"}');

	await host.age(LAST_ARRIVAL_MS / 2);
	t.is((await host.receive()).body, SILENCE);
	t.deepEqual(await host.outbox(), [{text: 'hello', mayBePosted: false}]);
});

test('a connection that asks again after a later one arrived counts once, and does not take the answer from it', async t => {
	const host = await startHost(t, {handle: hello});
	await host.receive();
	const {ref} = (await host.entry()) ?? {ref: {account: '', id: ''}};
	const ask = (nonce: string) =>
		host.store.claim(ref, {nonce, work: '{}', sender: 9, perMinute: 0, isArrival: true, leavesLapsed: true});

	for (const nonce of ['one 1', 'other 1', 'one 1', 'other 1', 'one 1']) {
		t.like(await ask(nonce), {kind: 'answer'});
	}

	t.false(await host.store.answerLost({ref, carrier: 'one 1'}));
	t.is((await host.entry())?.decision, 'inline');
	t.like(await ask('fourth 1'), {kind: 'last'});
});

test('a connection that closed while its claim was under way is not the last, and nothing is posted for it', async t => {
	const host = await startHost(t, {handle: hello});
	for (let n = 1; n <= 3; n++) {
		const {outcome} = await host.receive();
		outcome?.onFlushed();
	}

	let isOpen = true;
	const closed = host.receive({isOpen: () => isOpen});
	isOpen = false;

	t.is((await closed).body, SILENCE);
	t.is((await host.entry())?.decision, 'inline');
	t.deepEqual(await host.outbox(), []);
});

test('a bot shows as typing while its run is late, and no longer', async t => {
	let now = 0;
	let typed = 0;
	let end = () => {};
	const host = await startHost(t, {
		rules: {deadlineMs: 50},
		elapsed: () => now,
		showTyping() {
			typed += 1;
		},
		handle: () =>
			new Promise<void>(resolve => {
				end = resolve;
			}),
	});
	const tickAt = (ms: number) => {
		now = ms;
		host.deliveries.tick();
		return typed;
	};
	const answer = host.receive({arrivedAt: 0});
	await until(async () => host.deliveries.running().length === 1);
	t.deepEqual([49, 50].map(tickAt), [0, 0]);
	t.is((await answer).body, SILENCE);

	t.deepEqual([51, 20_050, 20_051].map(tickAt), [1, 1, 2]);
	end();
	await host.outbox();
	t.is(tickAt(40_052), 2);
});

test('a run that a stop interrupts does not count as a crash, and another process may follow at once', async t => {
	const host = await startHost(t, {
		rules: {deadlineMs: 50},
		async handle() {
			await new Promise(() => {});
		},
	});
	await host.receive();

	await host.deliveries.close(0);

	const entry = await host.entry();
	t.like(entry, {status: 'running', runs: 1, stops: 1, decision: 'late'});
	t.true(host.logged.includes('this stop interrupted handlers; another process runs them again'));
	await until(async () => (await host.due()).includes(entry?.ref.id ?? ''));
});

test('three stops in a row park nothing', async t => {
	const host = await startHost(t, {handle: hello});
	const request = {work: '{}', sender: 9, perMinute: 0, isLate: true};
	const ref = {account: 'https://chat.example.com|echo-bot@chat.example.com', id: 'stopped'};
	for (let run = 1; run <= 5; run++) {
		t.like(await host.store.claim(ref, {...request, nonce: `process-${run} 1`}), {kind: 'run', run});
		await host.store.release(ref, run);
	}
});

test('a run that another process takes over does not count as a crash if its own process was only slow', async t => {
	let now = 0;
	const host = await startHost(t, {
		elapsed: () => now,
		async handle() {
			await new Promise(() => {});
		},
	});
	const waiting = host.receive({arrivedAt: 0});
	await until(async () => host.deliveries.running().length === 1);
	const {ref} = (await host.entry()) ?? t.fail();
	const taken = {work: '{}', sender: 9, perMinute: 0, nonce: 'process-2 1', deadHolder: 'process-1 1'};
	t.like(await host.store.claim(ref, taken), {kind: 'run', run: 2});
	t.like(await host.entry(), {runs: 2, stops: 0});

	now = 3_000;
	host.deliveries.tick();

	await until(async () => (await host.entry())?.stops === 1);
	await host.store.release(ref, 1);
	t.like(await host.entry(), {status: 'running', runs: 2, stops: 1}, 'it is counted once');
	await host.store.finish(ref, {run: 2, answer: SILENCE, canAnswer: true, replies: []});
	now = 60_000;
	host.deliveries.tick();
	t.is((await waiting).body, SILENCE);
});

test('a delivery that slows each of its processes down is parked in the end', async t => {
	const host = await startHost(t, {handle: hello});
	const request = {work: '{}', sender: 9, perMinute: 0, isLate: true};
	const ref = {account: 'https://chat.example.com|echo-bot@chat.example.com', id: 'slow'};
	const claim = (run: number) =>
		host.store.claim(ref, {...request, nonce: `process-${run} 1`, deadHolder: `process-${run - 1} 1`});
	let run = 1;
	await claim(run);
	while ((await claim(run + 1)).kind === 'run') {
		await host.store.release(ref, run);
		run += 1;
	}

	t.is(run, LAST_EXCUSED_RUN + 3);
	t.like(await host.store.read(ref), {status: 'parked', stops: LAST_EXCUSED_RUN});
});

test('a stop answers a waiting delivery instead of failing it', async t => {
	const host = await startHost(t, {handle: hello});
	host.freeze();
	const waiting = host.receive();
	await host.away();

	await host.deliveries.close(0);

	t.is((await waiting).body, AWAY_ANSWER);
});

test('a stop answers a run whose decision waits for Redis, instead of failing it', async t => {
	let now = 0;
	const host = await startHost(t, {
		elapsed: () => now,
		async handle(task) {
			host.freeze();
			await hello(task);
		},
	});
	const waiting = host.receive({arrivedAt: 0});
	await host.away();
	now = 60_001;
	host.deliveries.tick();
	await new Promise(setImmediate);

	await host.deliveries.close(0);

	t.is((await waiting).body, AWAY_ANSWER);
});

test("a repeat is answered even if the death of its delivery's holder cannot be reported", async t => {
	let asked = 0;
	const host = await startHost(t, {
		rules: {deadlineMs: 1_500},
		// The deadline comes once it was tried again.
		elapsed: () => (asked > 1 ? 1_500 : 0),
		handle: hello,
		isDead: () => true,
		async recover() {
			asked++;
			throw lateAnswer();
		},
	});
	await host.claim('dead 1');

	t.is((await host.receive({arrivedAt: 0})).body, SILENCE);
	t.true(asked > 1);
});

test('a connection that closed while its claim waited loses no answer of the connection that followed it', async t => {
	let isThere = false;
	let isOpen = true;
	const late = await startHost(t, {
		handle: hello,
		changeStore: ({claim}) => ({
			claim: (ref, request) => (isThere ? claim(ref, request) : Promise.reject(lateAnswer())),
		}),
	});
	const host = await startHost(t, {url: late.url, process: 'process-2', handle: hello});

	const first = late.receive({isOpen: () => isOpen});
	await late.away();
	isOpen = false;
	const second = await host.receive();
	isThere = true;
	(await first).outcome?.onLost();
	second.outcome?.onFlushed();
	await Promise.all([late.deliveries.close(0), host.deliveries.close(0)]);

	t.is(second.body, '{"content":"hello"}');
	t.is((await host.entry())?.decision, 'inline');
});

test('an answer that a connection has before its run knows is not posted again', async t => {
	let release = () => {};
	const answered = new Promise<void>(resolve => {
		release = resolve;
	});
	let finishes = 0;
	let now = 0;
	const host = await startHost(t, {
		rules: {deadlineMs: 50},
		elapsed: () => now,
		handle: hello,
		changeStore: ({finish}) => ({
			async finish(ref, end) {
				const standing = await finish(ref, end);
				if (finishes++ === 0) {
					now = 50;
					await answered;
					throw lateAnswer();
				}

				return standing;
			},
		}),
	});

	const {body, outcome} = await ticked(host, host.receive({arrivedAt: 0}));
	release();
	await host.deliveries.idle();
	outcome?.onFlushed();
	await host.deliveries.close(0);

	t.is(body, '{"content":"hello"}');
	t.is(finishes, 2);
	t.is((await host.entry())?.decision, 'inline');
});

test('a run waits for Redis to enter its conversation', async t => {
	let enters = 0;
	const host = await startHost(t, {
		rules: {hasSession: true},
		handle: hello,
		changeStore: ({enterSession}) => ({
			enterSession: (...asked) => (enters++ === 0 ? Promise.reject(lateAnswer()) : enterSession(...asked)),
		}),
	});

	t.is((await host.receive()).body, '{"content":"hello"}');
});
