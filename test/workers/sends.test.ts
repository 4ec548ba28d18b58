// A bot's post arrives once, whatever the service does.

import test, {type ExecutionContext} from 'ava';
import {createClient} from '../../src/client/client.js';
import {ApiError, NetworkError} from '../../src/client/errors.js';
import {isPending} from '../../src/outbox/entry-state.js';
import {createReceipts} from '../../src/outbox/receipts.js';
import {createOutboxStore} from '../../src/outbox/store.js';
import {accountKey, accountTag} from '../../src/redis/account-key.js';
import sends from '../../workers/sends.js';
import {signIn} from '../helpers/bothy.js';
import {connect} from '../helpers/redis.js';
import {connectToRedis} from '../helpers/shared-redis.js';
import {until} from '../helpers/until.js';
import {startSends, withoutReceipts} from './sends-kit.js';

test('an outbox is posted in sequence', async t => {
	const {say, ended, posted} = await startSends(t);

	const ref = await say(['one', 'two', 'three']);

	t.deepEqual(await ended(ref), ['sent', 'sent', 'sent']);
	t.deepEqual(await posted(), ['one', 'two', 'three']);
});

test('an outbox entry of a newer version is logged once and not begun, and later entries wait', async t => {
	const told: string[] = [];
	const log = {info() {}, error() {}, warn: (_: object, message: string) => told.push(message)};
	const {say, ended, posted, redis, bot, time, outboxes} = await startSends(t, {log});
	const ref = {account: accountTag(bot), id: 'newer'};
	const outbox = accountKey(redis, ref.account, `outbox:${ref.id}`);
	const entry = {v: 1, target: '{"channel":"general","topic":"lunch"}', text: 'one', dueAt: 0, mayBePosted: false};
	await redis.hset(outbox, '1', JSON.stringify({...entry, kind: 'hologram'}));
	await redis.hset(outbox, '2', JSON.stringify({...entry, text: 'two', kind: 'send'}));
	const other = await say(['other']);
	await say([], {}, ref);

	t.deepEqual(await ended(other), ['sent']);
	await time.pass(20_000);
	t.deepEqual(await posted(), ['other']);
	t.deepEqual(
		(await outboxes.read(ref)).map(({kind, state}) => [kind, state]),
		[
			['unknown', 'waiting'],
			['send', 'waiting'],
		],
	);
	t.deepEqual(told, ['a newer version of Bothy stored this message; leaving it to a newer worker']);

	// As if a worker took the job that can read it.
	await redis.hset(outbox, '1', JSON.stringify({...entry, kind: 'send'}));
	t.deepEqual(await ended(ref), ['sent', 'sent']);
	t.deepEqual(await posted(), ['other', 'one', 'two']);
});

for (const kind of ['429', '500', '502-html', 'silence', 'break-before', 'accept-and-break', 'unreadable']) {
	test(`a post that meets ${kind} arrives once`, async t => {
		// After a silence nothing comes.
		const {say, ended, posted, trouble} = await startSends(t, kind === 'silence' ? {timeoutMs: 1_000} : {});
		await trouble('calls', {kind, operation: 'sendMessage', count: 2, retry_after: 0.5});

		const ref = await say(['one', 'two']);

		t.deepEqual(await ended(ref), ['sent', 'sent']);
		t.deepEqual(await posted(), ['one', 'two']);
	});
}

test('a receipt settles a post at once, without waiting for the settling time', async t => {
	const {say, ended, trouble} = await startSends(t, {settleMs: 3_600_000});
	await trouble('calls', {kind: 'accept-and-break', operation: 'sendMessage'});

	t.deepEqual(await ended(await say(['one'])), ['sent']);
});

test('without a receipts queue the conversation is searched, including messages that were edited or moved since', async t => {
	const {say, ended, posted, trouble, redis, bot} = await startSends(t, withoutReceipts);
	await trouble('calls', {kind: 'accept-and-break', operation: 'sendMessage', count: 3});

	const refs = await Promise.all([say(['same']), say(['same']), say(['same']), say(['same'])]);

	t.deepEqual((await Promise.all(refs.map(ended))).flat(), ['sent', 'sent', 'sent', 'sent']);
	t.deepEqual(await posted(), ['same', 'same', 'same', 'same']);
	t.is(await redis.zcard(`bothy:{${accountTag(bot)}}:due`), 0, 'nothing remains to be checked');
});

test('a service that only knows channels as streams gets each message once', async t => {
	const {say, ended, posted, trouble} = await startSends(t, {...withoutReceipts, featureLevel: 247});
	await trouble('calls', {kind: 'accept-and-break', operation: 'sendMessage'});

	t.deepEqual(await ended(await say(['one', 'two'])), ['sent', 'sent']);
	t.deepEqual(await posted(), ['one', 'two']);
});

test('without a receipts queue, a message that was seen once counts even if somebody deletes it', async t => {
	const {say, outboxes, ended, posted, trouble, realm, time} = await startSends(t, {
		...withoutReceipts,
		settleMs: 3_000,
	});
	await trouble('calls', {kind: 'accept-and-break', operation: 'sendMessage'});
	const ref = await say(['one']);
	while ((await outboxes.claimed({ref, n: 1})) === undefined) {
		await time.pass(100);
	}

	const olivia = await signIn(t, realm.url, 'olivia@bothy.example');
	await olivia.deleteMessage({message_id: (await outboxes.claimed({ref, n: 1})) ?? 0});

	t.deepEqual(await ended(ref), ['sent']);
	t.deepEqual(await posted(), []);
});

test('workers that start together share one receipts queue, and none posts without it', async t => {
	const {redis, redisUrl, client, trouble} = await startSends(t);
	await trouble('calls', {kind: 'silence', for_ms: 500, operation: 'register'});
	const receipts = [redis, await connect(t, redisUrl)].map(createReceipts);

	const queueOf = async (each: (typeof receipts)[number]): Promise<string> => {
		const before = await each.before(client);
		return 'delayMs' in before ? queueOf(each) : before.queue;
	};
	const queues = await Promise.all(receipts.map(queueOf));

	t.not(queues[0], '');
	t.is(queues[0], queues[1]);
});

test('an attempt that Redis took long to record starts again, so that its outcome gets the full settling time', async t => {
	let now = 1_000_000;
	const {outboxes, bot, dependencies, trouble} = await startSends(t);
	const ref = {account: accountTag(bot), id: 'slow'};
	await trouble('calls', {kind: 'accept-and-break', operation: 'sendMessage'});
	const target = '{"channel":"general","topic":"lunch"}';
	await outboxes.put(ref, {n: 1, kind: 'send', target, text: 'one', dueAt: 0, mayBePosted: false});
	const store: typeof outboxes = {
		...outboxes,
		async open(...args) {
			now += 10_000;
			return outboxes.open(...args);
		},
	};

	await sends
		.run(
			{v: 1, site: bot.site, email: bot.email, delivery: ref.id},
			{...dependencies, outboxes: store, now: () => now},
			0,
		)
		.catch(() => {});

	t.regex((await outboxes.read(ref))[0]?.state ?? '', /^sending 1010000 /);
});

/** Two outboxes of one account, each with one entry, held by the same worker. */
async function openTwo(t: ExecutionContext) {
	const redis = await connectToRedis(t);
	const outboxes = createOutboxStore(redis);
	const [mine, other] = [
		{account: 'https://chat.example.com|bot@example.com', id: 'a'},
		{account: 'https://chat.example.com|bot@example.com', id: 'b'},
	];
	for (const ref of [mine, other]) {
		await outboxes.put(ref, {n: 1, kind: 'send', target: '{"dm":[1]}', text: 'x', dueAt: 0, mayBePosted: false});
		await outboxes.open(ref, 'w', 'waiting');
	}

	return {outboxes, mine, other, redis};
}

test('a message that was found counts only while it belongs to no other entry', async t => {
	const {outboxes, mine, other} = await openTwo(t);

	t.true(await outboxes.claimMessage({ref: other, n: 1}, 7));
	t.is(await outboxes.claimed({ref: other, n: 1}), 7);
	await outboxes.end(mine, 'w', {n: 1, state: 'sent 7', attempt: 'waiting', messageId: 7});

	t.is(await outboxes.claimed({ref: other, n: 1}), undefined);
	const found = {n: 1, state: 'sent 7', attempt: 'waiting', messageId: 7, isFound: true} as const;
	t.is(await outboxes.end(other, 'w', found), 'lost');
	t.is((await outboxes.read(other))[0]?.state, 'waiting');
});

test('a post that the service carries out after its caller timed out arrives once', async t => {
	let isLate = true;
	const {say, ended, posted, time, client} = await startSends(t, {
		settleMs: 6_000,
		clientOf: () => ({
			...client,
			async sendMessage(...words) {
				if (!isLate) {
					return client.sendMessage(...words);
				}

				isLate = false;
				void time.sleep(3_000).then(() => time.holdDuring(client).sendMessage(...words));
				throw new NetworkError('sendMessage', true, {cause: 'Nothing came'});
			},
		}),
	});

	t.deepEqual(await ended(await say(['one', 'two'])), ['sent', 'sent']);
	await time.pass(10_000);
	t.deepEqual(await posted(), ['one', 'two']);
});

test('in a private channel of its owner alone no receipt comes and nothing can be read, so a person decides', async t => {
	const {say, ended, outboxes, bot, trouble, realm} = await startSends(t);
	const olivia = await signIn(t, realm.url, 'olivia@bothy.example');
	await trouble('calls', {kind: 'accept-and-break', operation: 'sendMessage'});

	const ref = await say(['one'], {target: '{"channel":"staff","topic":"x"}'});

	t.deepEqual(await ended(ref), ['unknown']);
	t.deepEqual(await outboxes.unsettled(accountTag(bot)), [{ref, n: 1}]);
	const {messages} = await olivia.getMessages({
		anchor: 'newest',
		num_before: 10,
		narrow: [
			['channel', 'staff'],
			['sender', bot.email],
		],
		apply_markdown: false,
	});
	t.is(messages.filter(({content}) => content === 'one').length, 1);
});

test('a message that was found for another entry goes back to the entry that posted it', async t => {
	const {outboxes, mine, other} = await openTwo(t);

	t.true(await outboxes.claimMessage({ref: other, n: 1}, 7));
	await outboxes.end(other, 'w', {n: 1, state: 'sent 7', attempt: 'waiting'});
	await outboxes.end(mine, 'w', {n: 1, state: 'sent 7', attempt: 'waiting', messageId: 7});

	t.is((await outboxes.read(mine))[0]?.state, 'sent 7');
	t.is((await outboxes.read(other))[0]?.state, 'waiting');
});

test('a message is taken from another entry in the step that records it, so that no kill can come between', async t => {
	const {outboxes, mine, other, redis} = await openTwo(t);
	await outboxes.claimMessage({ref: other, n: 1}, 7);
	await outboxes.end(other, 'w', {n: 1, state: 'sent 7', attempt: 'waiting'});
	let commands = 0;
	const send = redis.sendCommand.bind(redis);
	redis.sendCommand = (...command) => {
		commands += 1;
		return send(...command);
	};

	await outboxes.end(mine, 'w', {n: 1, state: 'sent 7', attempt: 'waiting', messageId: 7});
	t.is(commands, 1);

	t.is((await outboxes.read(other))[0]?.state, 'waiting');
});

test('nothing is posted while it is unknown whether the service offers a receipts queue', async t => {
	const {say, ended, posted, trouble, outboxes} = await startSends(t);
	await trouble('calls', {kind: '500', operation: 'register', count: 1});

	const ref = await say(['one']);

	t.deepEqual(await ended(ref), ['sent']);
	t.deepEqual(await posted(), ['one']);
	t.true((await outboxes.read(ref)).every(({state}) => state.startsWith('sent')));
});

test('a post that a busy service refuses is retried twice, and then fails with the reason', async t => {
	const {bot, outboxes, dependencies, trouble, posted} = await startSends(t);
	const ref = {account: accountTag(bot), id: 'busy'};
	const target = '{"channel":"general","topic":"lunch"}';
	await outboxes.put(ref, {n: 1, kind: 'send', target, text: 'one', dueAt: 0, mayBePosted: false});
	await trouble('calls', {kind: 'busy', operation: 'sendMessage', count: 3});
	const job = {v: 1, site: bot.site, email: bot.email, delivery: ref.id} as const;
	const delays: number[] = [];
	const work = () =>
		sends.run(job, dependencies, 0).catch(error => {
			delays.push((error as {delayMs: number}).delayMs);
		});

	await work();
	await work();
	await work();

	t.deepEqual(delays, [5_000, 30_000]);
	t.is((await outboxes.read(ref))[0]?.state, 'failed Unable to render message (BAD_REQUEST)');
	t.deepEqual(await posted(), []);
});

test('an outcome that is open because channels cannot be read waits for a person after the settling time', async t => {
	const {say, ended, trouble} = await startSends(t, {
		settleMs: 300,
		receipts: {before: async () => ({queue: '', after: 0}), sawMessage() {}, find: async () => 'gap'},
	});
	await trouble('calls', {kind: 'accept-and-break', operation: 'sendMessage'});
	await trouble('calls', {kind: '500', operation: 'getStreams', count: 1_000});

	t.deepEqual(await ended(await say(['one'])), ['unknown']);
});

test('an outcome waits for a person if the service is silent for as long as a send may take', async t => {
	const {say, ended, trouble} = await startSends(t, {giveUpMs: 60_000});
	await trouble('calls', {kind: 'accept-and-break', operation: 'sendMessage'});
	await trouble('calls', {kind: 'break-before', operation: 'getEvents', count: 1_000});

	t.deepEqual(await ended(await say(['one'])), ['unknown']);
});

test('a cancel that comes while it is unknown whether the service has the message is carried out later', async t => {
	const {say, ended, client, trouble, outboxes, time} = await startSends(t);
	await trouble('calls', {kind: 'accept-and-break', operation: 'createScheduledMessage'});
	const ref = await say(['later'], {dueAt: Date.now() + 3_600_000, via: 'service', name: 'x'});
	while (!(await outboxes.read(ref))[0]?.state.startsWith('sending')) {
		await time.pass(10);
	}

	t.true(await outboxes.cancel({ref, n: 1}, 'x'));
	t.deepEqual(await ended(ref), ['cancelled']);
	t.deepEqual((await client.getScheduledMessages({})).scheduled_messages, []);
});

test("a refused key pauses an account's posts until the key is right again", async t => {
	const {say, ended, posted, bot, client, dependencies, time} = await startSends(t);
	let isKeyRight = false;
	const wrong = createClient({...bot, key: 'wrongwrongwrongwrongwrongwrongwr', userAgent: 'test/1'});
	t.teardown(() => wrong.close());
	Object.assign(dependencies, {clientOf: () => (isKeyRight ? client : wrong)});

	const ref = await say(['one', 'two']);
	while (!(await dependencies.outboxes.read(ref))[0]?.state.startsWith('retrying')) {
		await time.pass(100);
	}

	t.deepEqual(await posted(), []);
	isKeyRight = true;
	t.deepEqual(await ended(ref), ['sent', 'sent']);
	t.deepEqual(await posted(), ['one', 'two']);
});

for (const [what, options] of [
	['with', {}],
	['without', withoutReceipts],
] as const) {
	test(`${what} a receipts queue, an outcome that is open while the key is refused is found when the key is right again`, async t => {
		const {say, ended, posted, bot, client, dependencies, time, trouble} = await startSends(t, {
			...options,
			settleMs: 3_000,
		});
		const wrong = createClient({...bot, key: 'wrongwrongwrongwrongwrongwrongwr', userAgent: 'test/1'});
		t.teardown(() => wrong.close());
		let isKeyRight = true;
		Object.assign(dependencies, {clientOf: () => (isKeyRight ? client : wrong)});
		await trouble('calls', {kind: 'accept-and-break', operation: 'sendMessage'});

		const ref = await say(['one']);
		while (!(await dependencies.outboxes.read(ref))[0]?.state.startsWith('sending')) {
			await time.pass(10);
		}

		isKeyRight = false;
		await time.pass(30_000);
		t.regex((await dependencies.outboxes.read(ref))[0]?.state ?? '', /^sending/);
		isKeyRight = true;
		t.deepEqual(await ended(ref), ['sent']);
		t.deepEqual(await posted(), ['one']);
	});
}

test('a refusal fails the entry with its reason, and the owner is notified', async t => {
	const {say, ended, outboxes, realm, bot, alice} = await startSends(t);
	const heard = await (await signIn(t, realm.url, 'olivia@bothy.example')).listen();
	const {user_id} = await alice.getUserByEmail({email: bot.email}).then(({user}) => user);
	const {id} = await alice.sendMessage({type: 'direct', to: [user_id], content: 'write to nowhere'});
	const ref = {account: accountTag(bot), id: `${id}-0123456789ab`};

	await say(['one'], {target: '{"channel":"nowhere","topic":"x"}'}, ref);

	t.deepEqual(await ended(ref), ['failed']);
	t.regex(
		(await outboxes.read(ref))[0]?.state ?? '',
		/^failed Channel 'nowhere' does not exist \(STREAM_DOES_NOT_EXIST\)/,
	);
	t.deepEqual(await outboxes.unsettled(accountTag(bot)), [{ref, n: 1}]);
	t.truthy(await heard.next(({content}) => content.includes('could not be posted')));

	// The chat page shows all calls at the message.
	const answer = await fetch(`${realm.url}/dev/exchanges?message_id=${id}`);
	const {exchanges} = (await answer.json()) as {exchanges: {kind: string; operation: string; linked_by: string}[]};
	t.deepEqual(
		exchanges.filter(({kind}) => kind === 'call').map(one => [one.operation, one.linked_by]),
		['sendMessage', 'getOwnUser', 'sendMessage'].map(operation => [operation, 'delivery']),
	);
});

test('a failed entry is sent again if a person resolves it so', async t => {
	const {say, ended, outboxes, enqueue, posted, time} = await startSends(t, withoutReceipts);
	const ref = await say(['one'], {target: '{"channel":"nowhere","topic":"x"}'});
	await ended(ref);

	t.is(await outboxes.resolve({ref, n: 1}, 'sent 0'), 'resolved');
	t.is((await outboxes.read(ref))[0]?.state, 'sent 0');
	t.is(await outboxes.resolve({ref, n: 1}, 'waiting'), 'sent 0');
	await enqueue(ref);
	await time.pass(0);
	t.deepEqual(await posted(), []);
});

test('an entry is given up if the service fails for long, and the reason is stored', async t => {
	const {say, ended, outboxes, trouble, posted} = await startSends(t);
	await trouble('calls', {kind: '500', operation: 'sendMessage', count: 1_000});

	const ref = await say(['one', 'two']);

	t.deepEqual(await ended(ref), ['failed', 'failed']);
	t.regex((await outboxes.read(ref))[0]?.state ?? '', /^failed no answer, \d+ times$/);
	t.deepEqual(await posted(), []);
});

test('a message can be cancelled before it was posted, but not after', async t => {
	const {say, ended, outboxes, posted} = await startSends(t);
	const later = await say(['later'], {dueAt: Date.now() + 3_600_000, name: 'x'});
	const now = await say(['now']);
	await ended(now);

	t.false(await outboxes.cancel({ref: now, n: 1}, ''));
	t.true(await outboxes.cancel({ref: later, n: 1}, 'x'));
	t.deepEqual(await ended(later), ['cancelled']);
	t.deepEqual(await posted(), ['now']);
});

test('a message that is moved to another time is posted at that time', async t => {
	const {say, ended, outboxes, enqueue, posted, time} = await startSends(t);
	const ref = await say(['moved'], {dueAt: Date.now() + 3_600_000});

	await time.pass(0);
	t.deepEqual(await posted(), []);
	t.true(await outboxes.move({ref, n: 1}, Date.now()));
	await enqueue(ref);

	t.deepEqual(await ended(ref), ['sent']);
	t.deepEqual(await posted(), ['moved']);
});

test('after a 429 the account makes no call until the pause is over', async t => {
	const {say, ended, client, trouble, time} = await startSends(t);
	await trouble('calls', {kind: '429', operation: 'sendMessage', retry_after: 60});

	const ref = await say(['one']);
	await time.pass(59_000);
	await t.throwsAsync(client.getOwnUser(), {
		instanceOf: ApiError,
		code: 'RATE_LIMIT_HIT',
		message: /asked this account/,
	});

	t.deepEqual(await ended(ref), ['sent']);
	await t.notThrowsAsync(client.getOwnUser());
});

test('messages that are due together keep their order', async t => {
	const {say, ended, posted, time} = await startSends(t);
	const texts = Array.from({length: 12}, (_, index) => `text ${index}`);

	const refs = await Promise.all(
		Array.from({length: 10}, (_, index) =>
			say(
				texts.map(text => `${index} ${text}`),
				{dueAt: time.now() + 300 + index},
			),
		),
	);
	await Promise.all(refs.map(ended));

	for (const [index] of refs.entries()) {
		const own = (await posted()).filter(text => text.startsWith(`${index} `));
		t.deepEqual(
			own,
			texts.map(text => `${index} ${text}`),
		);
	}
});

for (const kind of ['no trouble', '429', '500', 'break-before', 'accept-and-break', 'unreadable']) {
	test(`a scheduled message is in the service's list once when the call meets ${kind}`, async t => {
		const {say, ended, client, trouble, posted} = await startSends(t, {hasClock: true});
		if (kind !== 'no trouble') {
			await trouble('calls', {kind, operation: 'createScheduledMessage', retry_after: 0.5});
		}

		const ref = await say(['later'], {dueAt: Date.now() + 3_600_000, via: 'service', name: 'x'});

		t.deepEqual(await ended(ref), ['scheduled']);
		t.is((await client.getScheduledMessages({})).scheduled_messages.length, 1);
		await trouble('clock', {advance_ms: 3_700_000});
		await until(async () => (await posted()).length > 0);

		t.deepEqual(await posted(), ['later']);
	});
}

test('a scheduled message at the service can be moved and cancelled', async t => {
	const {say, ended, client, outboxes, enqueue, time} = await startSends(t, {hasClock: true});
	const ref = await say(['later'], {dueAt: Date.now() + 3_600_000, via: 'service', name: 'x'});
	await ended(ref);
	const listed = async () => (await client.getScheduledMessages({})).scheduled_messages;
	const [before] = await listed();

	t.true(await outboxes.move({ref, n: 1}, Date.now() + 7_200_000));
	await enqueue(ref);
	await time.pass(0);

	const [after] = await listed();
	t.is(after?.scheduled_message_id, before?.scheduled_message_id);
	t.true(Number(after?.scheduled_delivery_timestamp) > Number(before?.scheduled_delivery_timestamp) + 3_000);
	t.true(await outboxes.cancel({ref, n: 1}, 'x'));
	await enqueue(ref);
	t.deepEqual(await ended(ref), ['cancelled']);
	t.deepEqual(await listed(), []);
});

test('a scheduled message that the service has already sent is no longer moved', async t => {
	const {say, ended, outboxes, posted, trouble, enqueue, time} = await startSends(t, {hasClock: true});
	const ref = await say(['later'], {dueAt: Date.now() + 3_600_000, via: 'service', name: 'x'});
	t.deepEqual(await ended(ref), ['scheduled']);
	await trouble('clock', {advance_ms: 3_661_000});
	await until(async () => (await posted()).length > 0);

	t.true(await outboxes.move({ref, n: 1}, Date.now() + 7_200_000));
	await enqueue(ref);
	await time.pass(0);

	t.deepEqual(await ended(ref), ['sent']);
	t.deepEqual(await posted(), ['later']);
});

test('of a delivery whose stored work is damaged, replies fail with the reason, and sends are posted', async t => {
	const logged: object[] = [];
	const log = {info() {}, warn() {}, error: (fields: object) => logged.push(fields)};
	const {redis, bot, outboxes, enqueue, ended, posted} = await startSends(t, {log});
	const ref = {account: accountTag(bot), id: 'cron-unreadable'};
	await redis.hset(`bothy:{${ref.account}}:delivery:${ref.id}`, {v: '1', status: 'done', work: '{"kind":"cron"}'});
	const entry = {target: '', text: 'one', dueAt: 0, mayBePosted: false};
	await outboxes.put(ref, {...entry, n: 1, kind: 'reply'});
	await outboxes.put(ref, {...entry, n: 2, kind: 'send', target: '{"channel":"general","topic":"x"}', text: 'two'});

	await enqueue(ref);

	t.deepEqual(await ended(ref), ['failed', 'sent']);
	t.deepEqual(await posted(), ['two']);
	t.true(logged.some(fields => /Expected stored work/.test(JSON.stringify(fields))));
});

test('replies to work of a newer version wait for that version', async t => {
	const told: string[] = [];
	const log = {info() {}, error() {}, warn: (_: object, message: string) => told.push(message)};
	const {redis, bot, time, outboxes, enqueue, posted} = await startSends(t, {log});
	const ref = {account: accountTag(bot), id: 'dance-1'};
	await redis.hset(accountKey(redis, ref.account, `delivery:${ref.id}`), {
		v: '1',
		status: 'done',
		work: '{"kind":"dance"}',
	});
	await outboxes.put(ref, {n: 1, kind: 'reply', target: '', text: 'one', dueAt: 0, mayBePosted: false});

	await enqueue(ref);
	await time.pass(20_000);

	t.deepEqual(await posted(), []);
	t.deepEqual(told, ['a newer version of Bothy stored this message; leaving it to a newer worker']);
	t.true((await outboxes.read(ref)).every(({state}) => isPending(state)));
});
