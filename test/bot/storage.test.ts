import test, {type ExecutionContext} from 'ava';
import {z} from '../../src/api/zod.js';
import {bot} from '../../src/bot/bot.js';
import {createStorage, type Storage} from '../../src/bot/context/storage.js';
import {createValueStore} from '../../src/storage/values.js';
import {testBot} from '../../src/testing/index.js';
import {connectToRedis} from '../helpers/shared-redis.js';

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
