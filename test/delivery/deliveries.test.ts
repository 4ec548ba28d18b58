// The life of a delivery on a real Redis, with handlers from the tests.

import test, {type ExecutionContext} from 'ava';
import type {Payload} from '../../src/api/index.js';
import {createDeliveries, type Deliveries} from '../../src/delivery/deliveries.js';
import {createRedisStore, type RedisStore} from '../../src/delivery/redis-store.js';
import {deliveryRef} from '../../src/delivery/ref.js';
import {RunExpiredError} from '../../src/delivery/run-expired-error.js';
import type {AccountRules, Task} from '../../src/delivery/task.js';
import {cut, isTooLong, wellFormed} from '../../src/delivery/text.js';
import {answeredBy, readWork} from '../../src/delivery/work.js';
import {payload} from '../helpers/payload.js';
import {connect} from '../helpers/redis.js';
import {openRedis} from '../helpers/shared-redis.js';
import {until} from '../helpers/until.js';

const SILENCE = '{"response_not_required":true}';

const account = (rules: Partial<AccountRules> = {}): AccountRules => ({
	site: 'https://chat.example.com',
	email: 'echo-bot@chat.example.com',
	// A limit that no slow machine reaches, for tests that do not depend on it.
	deadlineMs: 600_000,
	timeoutMs: 60_000,
	concurrency: 100,
	perMinute: 0,
	hasSession: false,
	...rules,
});

/** An event that a test triggers. */
function gate() {
	let open = () => {};
	const opened = new Promise<void>(resolve => {
		open = resolve;
	});
	return {open, opened};
}

type Handle = (task: Task<AccountRules>) => Promise<void>;

interface Ways {
	readonly host?: number;
	readonly rules?: Partial<AccountRules>;
	readonly by?: AccountRules;
}

/** Processes that share one Redis. Each handles deliveries with `handle`. */
async function startHosts(t: ExecutionContext, {hosts = 1, handle}: {hosts?: number; handle: Handle}) {
	const url = await openRedis(t);
	const woken: string[] = [];
	const dead = new Set<string>();
	const started: {store: RedisStore; deliveries: Deliveries<AccountRules>}[] = await Promise.all(
		Array.from({length: hosts}, async (_, index) => {
			const store = createRedisStore(await connect(t, url));
			return {
				store,
				deliveries: createDeliveries<AccountRules>({
					process: `process-${index}`,
					store,
					handle,
					isDead: holder => dead.has(holder.split(' ')[0] ?? ''),
					log: {info() {}, warn() {}, error() {}},
					async enqueue({id}) {
						woken.push(id);
					},
					async recover(ref, deadHolder) {
						const work = readWork((await store.read(ref))?.work ?? '');
						await started.at(-1)?.deliveries.rerun({account: account(), work, deadHolder});
					},
				}),
			};
		}),
	);
	const [first] = started;
	if (!first) {
		throw new Error('Expected a host');
	}

	const receive = (received: Payload, {host = 0, rules = {}, by = account(rules)}: Ways = {}) =>
		(started[host] ?? first).deliveries.receive({
			account: by,
			work: {kind: 'message', payload: received},
			arrivedAt: performance.now(),
		});
	const outboxOf = async (received: Payload) =>
		(await first.store.read(deliveryRef(account(), received)))?.outbox.map(({n, text, state}) => ({n, text, state}));
	return {receive, outboxOf, woken, dead, store: first.store};
}

test('a handler in time is answered inline, and a repeat gets the same answer without another run', async t => {
	let runs = 0;
	const {receive} = await startHosts(t, {
		async handle({run: {say}}) {
			runs++;
			await say.reply('one');
			await say.reply('two');
		},
	});

	t.is((await receive(payload())).body, '{"content":"one\\n\\ntwo"}');
	t.is((await receive(payload())).body, '{"content":"one\\n\\ntwo"}');
	t.is(runs, 1);
});

test('a repeat of a running delivery joins it, in this process and in another', async t => {
	let runs = 0;
	const {open, opened} = gate();
	const {receive} = await startHosts(t, {
		hosts: 2,
		async handle({run: {say}}) {
			runs++;
			await opened;
			await say.reply('done');
		},
	});

	const first = receive(payload());
	const answers = [first, receive(payload()), receive(payload(), {host: 1})];
	open();

	t.deepEqual(new Set((await Promise.all(answers)).map(({body}) => body)), new Set(['{"content":"done"}']));
	t.is(runs, 1);
});

test('after the deadline the answer is silence, and a worker posts what the bot sends', async t => {
	const {open, opened} = gate();
	const {receive, outboxOf, woken} = await startHosts(t, {
		async handle({run: {say}}) {
			await say.reply('before');
			await opened;
			await say.reply('after');
		},
	});
	const arrived = payload();

	t.is((await receive(arrived, {rules: {deadlineMs: 50}})).body, SILENCE);
	// On a busy machine it may start only then.
	await until(async () => (await outboxOf(arrived))?.length === 1);
	t.deepEqual(await outboxOf(arrived), [{n: 1, text: 'before', state: 'waiting'}]);
	open();
	await until(async () => (await outboxOf(arrived))?.length === 2);

	t.true(woken.length > 0);
});

test("a worker posts a reply that follows the handler's return", async t => {
	const {open, opened} = gate();
	let late: Promise<unknown> | undefined;
	const {receive, outboxOf} = await startHosts(t, {
		async handle({run: {say}}) {
			await say.reply('at once');
			late = opened.then(() => say.reply('afterwards'));
		},
	});
	const arrived = payload();

	t.is((await receive(arrived)).body, '{"content":"at once"}');
	open();
	await late;

	t.deepEqual(await outboxOf(arrived), [{n: 2, text: 'afterwards', state: 'waiting'}]);
});

test('a handler that never ends is aborted at its timeout with an apology, and a later reply throws', async t => {
	const {open, opened} = gate();
	let reason: unknown;
	let afterwards: Promise<unknown> | undefined;
	const {receive, store} = await startHosts(t, {
		async handle({run: {say, signal}}) {
			signal.addEventListener('abort', () => {
				reason = signal.reason;
			});
			afterwards = opened.then(() => say.reply('too late'));
			await new Promise(() => {});
		},
	});
	const arrived = payload();

	t.regex((await receive(arrived, {rules: {timeoutMs: 50}})).body, /I did not finish within/);
	open();

	t.true(reason instanceof RunExpiredError);
	await t.throwsAsync(afterwards ?? Promise.resolve(), {
		instanceOf: RunExpiredError,
		message: 'The handler took longer than 50 ms',
	});
	const entry = await store.read(deliveryRef(account(), arrived));
	t.regex(entry?.error ?? '', /took longer than 50 ms/);
});

test("handlers beyond a bot's limit wait for a slot", async t => {
	let side = 0;
	let most = 0;
	const {receive} = await startHosts(t, {
		async handle({run: {say}}) {
			side++;
			most = Math.max(most, side);
			await new Promise(setImmediate);
			side--;
			await say.reply('x');
		},
	});
	const by = account({concurrency: 2});
	const answers = await Promise.all(Array.from({length: 10}, (_, messageId) => receive(payload({messageId}), {by})));

	t.deepEqual(new Set(answers.map(({body}) => body)), new Set(['{"content":"x"}']));
	t.is(most, 2);
});

test('a conversation has one run at a time, in order, across processes, and another conversation does not wait', async t => {
	const order: string[] = [];
	const blocked = gate();
	const {receive} = await startHosts(t, {
		hosts: 2,
		async handle({run: {say}, work, session}) {
			const {data, message} = answeredBy(work) ?? payload();
			const count = Number(session?.json ?? 0) + 1;
			order.push(`begin ${data} ${count}`);
			if (message.subject === 'slow') {
				await blocked.opened;
			}

			session?.save(String(count));
			order.push(`end ${data}`);
			await say.reply(data);
		},
	});
	const says = (text: string, messageId: number, subject: string) => payload({text, messageId, message: {subject}});
	const rules = {hasSession: true};

	const first = receive(says('one', 1, 'slow'), {rules});
	await until(async () => order.length === 1);
	const second = receive(says('two', 2, 'slow'), {rules});
	const third = receive(says('three', 3, 'SLOW'), {rules});
	const elsewhere = receive(says('four', 4, 'slow'), {rules, host: 1});
	t.is((await receive(says('quick', 5, 'quick'), {rules})).body, '{"content":"quick"}');
	blocked.open();
	await Promise.all([first, second, third, elsewhere]);

	const slow = order.filter(line => !line.includes('quick'));
	t.is(slow.filter((line, index) => line.startsWith('begin') === (index % 2 === 0)).length, 8, 'never side by side');
	t.deepEqual(
		slow.filter(line => /begin (one|two|three)/.test(line)).map(line => line.split(' ')[1]),
		['one', 'two', 'three'],
	);
	t.deepEqual(
		slow.filter(line => line.startsWith('begin')).map(line => Number(line.split(' ')[2])),
		[1, 2, 3, 4],
		'each found what the one before had left',
	);
});

test('the delivery of a dead process runs again at once, elsewhere, for the connection that asks for it', async t => {
	const runs: string[] = [];
	const never = gate();
	const {receive, dead} = await startHosts(t, {
		hosts: 2,
		async handle({run: {say}}) {
			runs.push('run');
			if (runs.length === 1) {
				await never.opened;
			}

			await say.reply('second');
		},
	});
	void receive(payload());
	await until(async () => runs.length === 1);

	dead.add('process-0');
	t.is((await receive(payload(), {host: 1})).body, '{"content":"second"}');
});

test('a text is cut as the service cuts it', t => {
	t.is(cut('x'.repeat(10_000)), 'x'.repeat(10_000));
	t.is(cut('x'.repeat(10_001)), `${'x'.repeat(9_980)}\n[message truncated]`);
	t.is(cut('🍲'.repeat(10_001)), `${'🍲'.repeat(9_980)}\n[message truncated]`);
	t.false(isTooLong('🍲'.repeat(10_000)));
});

test('a well-formed text does not change', t => {
	t.is(wellFormed('a🍲\n'), 'a🍲\n');
	t.is(wellFormed('\ud83c'), '\ufffd');
});
