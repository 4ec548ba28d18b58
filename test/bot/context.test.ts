// Parts of `ctx`: questions to others, text that grows, what runs later, and what bots store.

import test, {type ExecutionContext} from 'ava';
import fc from 'fast-check';
import {z} from '../../src/api/zod.js';
import {bot} from '../../src/bot/bot.js';
import {createQuestions} from '../../src/bot/context/questions.js';
import {createStorage, type Storage} from '../../src/bot/context/storage.js';
import {createStream} from '../../src/bot/context/stream.js';
import type {Work} from '../../src/delivery/work.js';
import {createValueStore} from '../../src/storage/values.js';
import {testBot} from '../../src/testing/index.js';
import {Memory} from '../../src/testing/memory.js';
import {createMemoryValueStore} from '../../src/testing/memory-value-store.js';
import {payload} from '../helpers/payload.js';
import {connectToRedis} from '../helpers/shared-redis.js';
import {HOUR_MS, openDyingHosts} from './dying-host.js';

const {message, ...rest} = payload({text: 'yes'});
const place = {type: 'stream' as const, stream_id: 7, display_recipient: 'general', subject: 'asked'};
const answer = {...rest, message: {...message, ...place}};

const untilOf = (question: number) => 20 * (question + 1);
const step = fc.oneof(
	fc.record({asks: fc.constantFrom('a new question', 'again, in a rerun')}),
	// The same number again is a rerun of the delivery that answers.
	fc.record({answers: fc.nat(3), dies: fc.boolean()}),
	fc.record({passes: fc.integer({min: 1, max: 20})}),
);

test('a question is answered once and in time, and a delivery answers one question, even if it dies after any write', async t => {
	await fc.assert(
		fc.asyncProperty(fc.array(step, {maxLength: 25}), async steps => {
			const memory = new Memory();
			const store = createMemoryValueStore(memory, 'questions');
			const answerOf = new Map<string, string>();
			let time = 0;
			let latest = 0;
			const of = (delivery: string, {dies = false} = {}) => {
				const ref = {account: 'a', id: delivery};
				memory.deliveries.set(`a ${delivery}`, {status: 'running', run: 1} as never);
				const values = store({ref, run: 1});
				const put: typeof values.put = async (...write) => {
					const result = await values.put(...write);
					if (dies && result === 'put') {
						throw new Error('died after a write');
					}

					return result;
				};
				return createQuestions({values: {...values, put}, delivery, now: () => time});
			};

			for (const step of steps) {
				if ('passes' in step) {
					time += step.passes;
				} else if ('asks' in step) {
					latest += step.asks === 'a new question' ? 1 : 0;
					const question = {name: 'decide', question: `question ${latest}`, until: untilOf(latest)};
					const asker = {from: {dm: [1]}, by: {id: 1, mention: '@**A|1**'}};
					await of(`asks ${latest}`).put(message.sender_id, {channel: 7, topic: 'asked'}, {...question, ...asker});
				} else {
					const delivery = `answers ${step.answers}`;
					const found = await of(delivery, step).find(answer);
					const before = answerOf.get(delivery);
					// A process that dies has taken the question, and its rerun answers it.
					if (found && (await found.take().catch(() => true))) {
						const others = [...answerOf].filter(([other]) => other !== delivery).map(([, question]) => question);
						t.is(before ?? found.question, found.question);
						t.false(others.includes(found.question));
						t.true(before !== undefined || time < untilOf(Number(found.question.split(' ')[1])));
						answerOf.set(delivery, found.question);
					} else {
						t.is(before, undefined);
					}
				}
			}
		}),
		{numRuns: 300},
	);
});

// Text that grows, whatever is written and however its service behaves.

/** The messages at the end, and how often they were shown. */
function startStream({canGrow = true, isRerun = false, failsToShow = false} = {}) {
	const messages: string[] = [];
	let shows = 0;
	let noteShow = () => {};
	const shown = new Promise<void>(resolve => {
		noteShow = resolve;
	});
	const ends: (() => Promise<void>)[] = [];
	const stream = createStream(
		{
			isRerun,
			log: {warn() {}},
			canGrow: async () => canGrow,
			async open(text) {
				messages.push(text);
				return String(messages.length - 1);
			},
			async finish(send, text) {
				messages[Number(send)] = text;
			},
			async show(send, text) {
				shows++;
				noteShow();
				if (failsToShow) {
					throw new Error('refused');
				}

				messages[Number(send)] = text;
			},
		},
		end => ends.push(end),
	);
	return {stream, messages, ends, shows: () => shows, shown};
}

const piece = fc.oneof(
	fc.string({maxLength: 200}),
	fc.string({unit: 'binary', maxLength: 50}),
	fc.nat({max: 12_000}).map(length => 'word '.repeat(length / 5)),
	fc.nat({max: 12_000}).map(length => '😀'.repeat(length)),
);

test('any text is split into messages that the service accepts, and nothing is lost', async t => {
	await fc.assert(
		fc.asyncProperty(fc.array(piece, {maxLength: 8}), fc.boolean(), fc.boolean(), async (pieces, canGrow, isRerun) => {
			const {stream, messages} = startStream({canGrow, isRerun});
			await Promise.all(pieces.map(text => stream.write(text)));
			await stream.end();

			const text = pieces.join('').toWellFormed().replaceAll('\0', '\uFFFD');
			t.is(messages.join('').trimEnd(), text.trim() === '' ? '' : text.trimEnd());
			t.true(messages.every(message => message.length <= 10_000 && message.isWellFormed()));
		}),
		{numRuns: 60},
	);
});

test('a rerun shows only the final text, and a message that cannot be updated gets its text in the end', async t => {
	const rerun = startStream({isRerun: true});
	await rerun.stream.write('one');
	// Timers of the same length fire in the order in which they were set, so one that writing had set would have fired.
	await new Promise(resolve => setTimeout(resolve, 0));
	t.deepEqual(rerun.messages, ['…']);
	await rerun.ends[0]?.();
	t.deepEqual([rerun.messages, rerun.shows()], [['one'], 0]);

	const refused = startStream({failsToShow: true});
	await refused.stream.write('one');
	await refused.shown;

	await refused.stream.write(' two');
	await refused.stream.end();
	t.deepEqual([refused.messages, refused.shows()], [['one two'], 1]);
});

test('a stream, a question to somebody else, a later handler and a request are posted once, even if their process dies before any step', async t => {
	const {start, run, takeOver, message, contents, errors, now} = openDyingHosts(t);
	const request = (body: string) => ({path: '/hook', headers: {}, query: {}, body, at: now()});
	const kinds: [works: ((at: string) => Promise<Work>)[], texts: (at: string) => string[]][] = [
		[[at => message('alice', `@**Dies** stream ${at}`)], at => [`stream ${at} …`, `… end ${at}`]],
		[
			[at => message('alice', `@**Dies** ask ${at}`), () => message('bob', 'yes', 'dm')],
			at => [`question ${at}`, `asked ${at}`, `decided ${at} yes`, `thanks ${at}`],
		],
		[[at => message('alice', `@**Dies** later ${at}`)], at => [`rang ${at}`]],
		[[async at => ({kind: 'http', id: at, request: request(at)})], at => [`requested ${at}`]],
	];

	const expected: string[] = [];
	for (const [index, [works, texts]] of kinds.entries()) {
		for (let steps = 0, isDead = true; isDead; steps++) {
			const at = `${index}-${steps}`;
			let {host, death} = start(steps);
			isDead = false;
			for (const workOf of works) {
				const work = await workOf(at);
				if ((await Promise.race([death, run(host, work, 2 * HOUR_MS)])) === 'died') {
					isDead = true;
					({host, death} = start(Number.POSITIVE_INFINITY));
					await takeOver(host);
					// The sender sends it again if it got no answer.
					await run(host, work, 2 * HOUR_MS);
				}
			}

			expected.push(...texts(at));
		}
	}

	t.deepEqual(
		contents()
			.map(text => text.replace(/x{2,}/, '…'))
			.toSorted(),
		expected.toSorted(),
	);
	t.true(expected.length > 100);
	t.deepEqual(errors, []);
});

const Votes = z.record(z.string(), z.array(z.int()));

const voter = () =>
	bot({about: 'Counts votes'}).command(
		'vote',
		{about: 'Vote', args: z.object({for: z.string()})},
		async (ctx, args) => {
			const votes = await ctx.storage.update('votes', Votes, (votes = {}) => ({
				...votes,
				[args.for]: [...(votes[args.for] ?? []), ctx.sender.id],
			}));
			await ctx.reply(JSON.stringify(votes));
		},
	);

test('a bot stores values between messages', async t => {
	const {alice, bob} = await testBot(voter());

	t.deepEqual(await alice.dm('vote pizza'), [`{"pizza":[${alice.id}]}`]);
	t.deepEqual(await bob.dm('vote pizza'), [`{"pizza":[${alice.id},${bob.id}]}`]);
});

const REF = {account: 'https://chat.example.com|echo-bot@chat.example.com', id: '1-abc'};

/** Storage in Redis for the run of that number of a delivery. */
async function openStorage(t: ExecutionContext) {
	const redis = await connectToRedis(t);
	const key = `bothy:{${REF.account}}:delivery:${REF.id}`;
	await redis.hset(key, {status: 'running', run: 1});
	return {
		redis,
		storageOf: (run: number): Storage => createStorage(createValueStore(redis)({ref: REF, run}), 'echo-bot'),
		begin: (run: number) => redis.hset(key, {run}),
	};
}

test('values are set, found, listed and deleted', async t => {
	const storage = (await openStorage(t)).storageOf(1);
	await storage.set('b', {n: 1});
	await storage.set('a', 'text');

	t.deepEqual(await storage.get('b', z.object({n: z.int()})), {n: 1});
	t.is(await storage.get('c', z.string()), undefined);
	t.true(await storage.has('a'));
	t.deepEqual(await storage.list(), ['a', 'b']);
	t.deepEqual(await storage.list('b'), ['b']);
	t.true(await storage.delete('b'));
	t.false(await storage.delete('b'));
	await storage.clear();
	t.deepEqual(await storage.list(), []);
});

test('no change is lost if many happen at once', async t => {
	const {storageOf} = await openStorage(t);
	const add = (storage: Storage) => storage.update('count', z.int(), (count = 0) => count + 1);
	await Promise.all(Array.from({length: 50}, () => add(storageOf(1))));

	t.is(await storageOf(1).get('count', z.int()), 50);
});

test('a stored value that does not fit the schema is an error', async t => {
	const storage = (await openStorage(t)).storageOf(1);
	await storage.set('a', 'text');

	await t.throwsAsync(storage.get('a', z.int()), {instanceOf: z.ZodError});
});

test('a run that another has taken over can no longer store values', async t => {
	const {storageOf, begin} = await openStorage(t);
	await storageOf(1).set('a', 1);
	await begin(2);

	await t.throwsAsync(storageOf(1).set('a', 2), {message: 'Another run has taken over this delivery'});
	await t.throwsAsync(storageOf(1).clear(), {message: 'Another run has taken over this delivery'});
	t.is(await storageOf(2).get('a', z.int()), 1);
});

test('sizes have limits, and an error names them', async t => {
	const {storageOf, redis} = await openStorage(t);
	const storage = storageOf(1);
	await redis.hset(
		`bothy:{${REF.account}}:values`,
		...Array.from({length: 10_000}, (_, index) => [String(index), '1']).flat(),
	);

	await t.throwsAsync(storage.set('one more', 1), {message: /^Expected fewer than 10,000 keys/});
	await t.notThrowsAsync(storage.set('7', 2));
	await t.throwsAsync(storage.set('7', 'x'.repeat(65_536)), {message: /at most 65536 bytes of JSON, got 65538/});
	await t.throwsAsync(storage.set('k'.repeat(201), 1), {message: /a key of 1 to 200 characters, got 201 characters/});
	await t.throwsAsync(storage.set('', 1), {instanceOf: TypeError});
	await t.throwsAsync(storage.set('7', undefined), {message: /a value that JSON can carry, got undefined/});
});
