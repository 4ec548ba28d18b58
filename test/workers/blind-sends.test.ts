// Sends whose answer is lost, in every kind of conversation: each is posted once, never twice. If the account cannot see
// its posts and its receipts queue is gone as well, a person decides.

import test, {type ExecutionContext} from 'ava';
import {Payload} from '../../src/api/index.js';
import {createClient} from '../../src/client/client.js';
import {createRedisStore} from '../../src/delivery/redis-store.js';
import {type DeliveryRef, deliveryRef} from '../../src/delivery/ref.js';
import type {Target} from '../../src/delivery/target.js';
import {workText} from '../../src/delivery/work.js';
import {TryLater} from '../../src/queue/define-worker.js';
import {accountKey, accountTag} from '../../src/redis/account-key.js';
import sends from '../../workers/sends.js';
import {signIn} from '../helpers/bothy.js';
import {startReceiver} from '../realm/realm-kit.js';
import {startSends} from './sends-kit.js';

type Kind = 'outgoing-webhook' | 'generic';

/** Each by ID and by name. Bob reads them all, and the bots are in all of them. */
const PLACES = ['public', 'shared', 'protected', 'direct', 'group'] as const;
type Place = (typeof PLACES)[number];

const isBlind = (kind: Kind, place: Place) => kind === 'outgoing-webhook' && !['public', 'shared'].includes(place);

async function open(t: ExecutionContext, kind: Kind) {
	const {
		realm,
		bot: echo,
		client: echoClient,
		alice,
		outboxes,
		dependencies,
		trouble,
		redis,
	} = await startSends(t, {hasClock: true});
	const [bob, olivia] = [
		await signIn(t, realm.url, 'bob@bothy.example'),
		await signIn(t, realm.url, 'olivia@bothy.example'),
	];
	const bot = kind === 'generic' ? await createGeneric(t, olivia, realm.url) : {...echo, client: echoClient};
	const {site, email, client} = bot;
	const {user_id: botId} = await client.getOwnUser();
	const channelIds = new Map<Place, number>();
	for (const [name, flags] of [
		['public', {}],
		['shared', {invite_only: true, history_public_to_subscribers: true}],
		['protected', {invite_only: true, history_public_to_subscribers: false}],
	] as const) {
		await olivia.subscribe({subscriptions: [{name}], principals: [olivia.id, bob.id, botId], ...flags});
		channelIds.set(name, (await olivia.getStreamId({stream: name})).stream_id);
	}

	let now = Date.now();
	const errors: object[] = [];
	const log = {info() {}, warn() {}, error: (fields: object) => void errors.push(fields)};
	const own = {...dependencies, clientOf: () => client, now: () => now, log};

	return {
		realm,
		bot: {...bot, id: botId},
		bob,
		alice,
		outboxes,
		redis,
		trouble,
		/** The error log. */
		errors,
		targetsOf(place: Place): Target[] {
			const id = channelIds.get(place);
			if (id !== undefined) {
				return [
					{channel: id, topic: 'x'},
					{channel: place, topic: 'x'},
				];
			}

			const people = place === 'direct' ? [bob] : [alice, bob];
			return [{dm: people.map(person => person.id)}, {dm: people.map(person => person.email)}];
		},
		/** One job of the worker. Everything that it waits for happens before it ends. */
		async work(ref: DeliveryRef): Promise<void> {
			try {
				await sends.run({v: 1, site, email, delivery: ref.id}, own, 0);
			} catch (error) {
				if (!(error instanceof TryLater)) {
					throw error;
				}

				now += Math.max(error.delayMs, own.settleMs);
			}
		},
		async stateOf(ref: DeliveryRef): Promise<string> {
			const [entry] = await outboxes.read(ref);
			return entry?.state.split(' ')[0] ?? 'none';
		},
		/** How often the service has a text. */
		async countOf(text: string): Promise<number> {
			const {messages} = await bob.getMessages({
				anchor: 'newest',
				num_before: 1000,
				narrow: [['sender', email]],
				apply_markdown: false,
			});
			return messages.filter(({content}) => content === text).length;
		},
	};
}

async function createGeneric(t: ExecutionContext, owner: Awaited<ReturnType<typeof signIn>>, site: string) {
	const {api_key: key} = await owner.createBot({full_name: 'Genny', short_name: 'genny', bot_type: 1});
	const email = 'genny-bot@bothy.example';
	const client = createClient({site, email, key, userAgent: 'test/1', timeoutMs: 2_000});
	t.teardown(() => client.close());
	return {site, email, client};
}

/** Rounds after which an outcome is known, or stays unknown. */
const ROUNDS = 6;

const posted = test.macro({
	title: (_, {kind, call, queue}) =>
		`posts of ${kind} bots that meet ${call} are there once, or unknown where nobody can tell, with a receipts queue that is ${queue}`,
	async exec(t, {kind, call, queue}: {kind: Kind; call: 'accept-and-break' | 'break-before'; queue: 'there' | 'gone'}) {
		const {bot, outboxes, targetsOf, trouble, work, stateOf, countOf, errors} = await open(t, kind);
		const unknown: string[] = [];
		for (const place of PLACES) {
			for (const [index, target] of targetsOf(place).entries()) {
				const text = `${place} ${index === 0 ? 'by ID' : 'by name'}`;
				const ref = {account: accountTag(bot), id: `put-${place}-${index}`};
				await outboxes.put(ref, {
					n: 1,
					kind: 'send',
					target: JSON.stringify(target),
					text,
					dueAt: 0,
					mayBePosted: false,
				});
				await trouble('calls', {kind: call, operation: 'sendMessage', account: bot.email});
				await work(ref);
				t.is(await stateOf(ref), 'sending', text);
				if (queue === 'gone') {
					await trouble('expire-queue', {account: bot.email});
				}

				for (let round = 0; round < ROUNDS && (await stateOf(ref)) === 'sending'; round += 1) {
					await work(ref);
				}

				const isLost = queue === 'gone' && isBlind(kind, place);
				t.is(await stateOf(ref), isLost ? 'unknown' : 'sent', text);
				t.is(await countOf(text), isLost && call === 'break-before' ? 0 : 1, text);
				unknown.push(...(isLost ? [ref.id] : []));
			}
		}

		t.deepEqual(
			errors,
			unknown.map(delivery => ({account: bot.email, delivery, entry: 1})),
			'each is logged for the operator',
		);
	},
});

for (const kind of ['outgoing-webhook', 'generic'] as const) {
	for (const call of ['accept-and-break', 'break-before'] as const) {
		for (const queue of ['there', 'gone'] as const) {
			test(posted, {kind, call, queue});
		}
	}
}

const answered = test.macro({
	title: (_, {place, arrived, state}) =>
		`an inline answer in a ${place} that nobody confirmed and that ${arrived ? 'arrived' : 'was lost'} ends as ${state}`,
	async exec(t, {place, arrived, state}: {place: 'channel' | 'direct message'; arrived: boolean; state: string}) {
		const {realm, bot, bob, redis, work, stateOf, countOf, errors} = await open(t, 'outgoing-webhook');
		const receiver = await startReceiver(t, ({response}) => {
			response.statusCode = arrived ? 200 : 404;
			response.end('{"content":"the answer"}');
		});
		realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: receiver.url});
		const heard = await bob.listen();
		await (place === 'channel'
			? bob.sendMessage({type: 'stream', to: 'public', topic: 'x', content: '@**Echo** hello'})
			: bob.sendMessage({type: 'direct', to: [bot.id], content: 'hello'}));
		// What the service posted: the answer, or a failure.
		await heard.next(({sender_email}) => sender_email === bot.email);
		const payload = Payload.parse((await receiver.delivery(1)).body);
		const ref = deliveryRef(bot, payload);
		const store = createRedisStore(redis);
		await store.claim(ref, {nonce: 'w-1', work: workText({kind: 'message', payload}), sender: bob.id, perMinute: 0});
		const replies = [{n: 1, kind: 'reply', target: '', text: 'the answer', dueAt: 0, mayBePosted: false}] as const;
		const standing = await store.finish(ref, {run: 1, answer: '{"content":"the answer"}', canAnswer: true, replies});
		t.is(standing, 'inline');

		// Its time for a confirmation is over.
		await redis.zadd(accountKey(redis, ref.account, 'unconfirmed'), 0, ref.id);
		t.true(await store.turnLate(ref));
		for (let round = 0; round < ROUNDS && /waiting|sending/.test(await stateOf(ref)); round += 1) {
			await work(ref);
		}

		t.is(await stateOf(ref), state);
		t.is(await countOf('the answer'), arrived || state === 'sent' ? 1 : 0);
		t.is(errors.length, state === 'unknown' ? 1 : 0);
	},
});

for (const arrived of [true, false]) {
	test(answered, {place: 'channel', arrived, state: 'sent'});
	test(answered, {place: 'direct message', arrived, state: 'unknown'});
}
