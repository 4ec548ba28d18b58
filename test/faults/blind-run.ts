// One run: messages to every kind of conversation, by id and by name, of bots that can see what they post and of bots that
// cannot. Half of the posts get no answer, and the receipts queues go again and again.

import {randomUUID} from 'node:crypto';
import {mkdtemp} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {createClient} from '../../src/client/client.js';
import type {Target} from '../../src/delivery/target.js';
import {isPending} from '../../src/outbox/entry-state.js';
import {createOutboxStore} from '../../src/outbox/store.js';
import {openQueue} from '../../src/queue/define-queue.js';
import {sends} from '../../src/queue/sends.js';
import {accountTag} from '../../src/redis/account-key.js';
import {connectRedis} from '../../src/redis/connection.js';
import {keep} from './processes.js';
import {openRealm} from './sends-run.js';
import {troubleOf} from './sends-trouble.js';
import {openPosted} from './sends-verdict.js';
import {startOwnRedis} from './trouble/own-redis.js';
import {endFolder} from './verdict.js';

export interface BlindSize {
	/** For each kind of bot, conversation and name. */
	readonly textsEach: number;
	readonly overMs: number;
	readonly settleSeconds: number;
	readonly timeoutMs: number;
}

export interface BlindVerdict {
	readonly intended: number;
	readonly lost: readonly string[];
	readonly doubled: readonly string[];
	/** Left to a person where the account could have looked. */
	readonly unknownThoughSeen: readonly string[];
}

const KINDS = ['accept-and-break', 'break-before', 'unreadable', '502-html'] as const;
const EXPIRE_EVERY_MS = 400;

const CHANNELS = {
	public: {},
	shared: {invite_only: true, history_public_to_subscribers: true},
	protected: {invite_only: true, history_public_to_subscribers: false},
};
const BLIND_PLACES = ['protected', 'direct', 'group'];

interface Sender {
	readonly email: string;
	readonly key: string;
	readonly userId: number;
}

interface Planned {
	readonly ref: {readonly account: string; readonly id: string};
	readonly email: string;
	readonly target: Target;
	readonly text: string;
	/** Whether its bot gets an empty answer when it looks there. */
	readonly isBlind: boolean;
}

export async function runBlind(size: BlindSize, say: (line: string) => void): Promise<BlindVerdict> {
	const folder = await mkdtemp(join(tmpdir(), 'bothy-faults-'));
	const {bots, realm} = await openRealm(folder, 1);
	const redis = await startOwnRedis(folder);
	const connection = connectRedis(redis.url, {listener: {onLost() {}, onBack() {}}});
	const posted = openPosted(join(folder, 'realm.db'));
	const queue = openQueue(sends, connection);
	const outboxes = createOutboxStore(connection);
	const workers: ReturnType<typeof keep>[] = [];
	let isGood = false;
	try {
		await realm.up();
		const [webhookBot] = bots;
		if (!webhookBot) {
			throw new Error('Expected a bot');
		}

		const {site} = webhookBot;
		const {generic, places} = await furnish(site, webhookBot);
		const senders = {'outgoing-webhook': webhookBot, generic};
		const sections = Object.entries(senders).map(([name, {email, key}]) => [name, {email, key, site}]);
		const env = {
			BOTHY_CONFIG_JSON: JSON.stringify(Object.fromEntries(sections)),
			BOTHY_DATA: folder,
			REDIS_URL: redis.url,
			SEND_SETTLE_SECONDS: String(size.settleSeconds),
		};
		workers.push(...[0, 1].map(index => keep({command: 'worker', env, logFile: join(folder, `worker-${index}.log`)})));
		await Promise.all(workers.map(worker => worker.up()));

		const plan = Object.entries(senders).flatMap(([kind, {email}]) =>
			places.flatMap(({place, name, target}) =>
				Array.from({length: size.textsEach}, (_, n): Planned => {
					const ref = {account: accountTag({site, email}), id: `put-${randomUUID()}`};
					const isBlind = kind === 'outgoing-webhook' && BLIND_PLACES.includes(place);
					return {ref, email, target, text: `${kind} to ${place} by ${name} ${n}`, isBlind};
				}),
			),
		);
		const lose = await loseAnswers(site, Object.values(senders));
		for (const {ref, email, target, text} of plan) {
			await outboxes.put(ref, {n: 1, kind: 'send', target: JSON.stringify(target), text, dueAt: 0, mayBePosted: false});
			await queue.add({v: 1, site, email, delivery: ref.id});
			await sleep(size.overMs / plan.length);
		}

		const troubled = await lose.end();
		const stateOf = async ({ref}: Planned) => (await outboxes.read(ref))[0]?.state ?? 'waiting';
		let states = await Promise.all(plan.map(stateOf));
		for (const end = performance.now() + size.timeoutMs; states.some(isPending) && performance.now() < end; ) {
			await sleep(500);
			states = await Promise.all(plan.map(stateOf));
		}

		const texts = posted.texts();
		const timesOf = ({text}: Planned) => texts.filter(one => one === text).length;
		const unknown = new Set(plan.filter((_, index) => states[index] === 'unknown'));
		say(`  answers lost ${troubled}; ${unknown.size} of ${plan.length} parked as unknown`);
		const textsOf = (found: readonly Planned[]) => found.map(({text}) => text);
		const verdict = {
			intended: plan.length,
			lost: textsOf(plan.filter(planned => timesOf(planned) === 0 && !unknown.has(planned))),
			doubled: textsOf(plan.filter(planned => timesOf(planned) > 1)),
			unknownThoughSeen: textsOf([...unknown].filter(({isBlind}) => !isBlind)),
		};
		isGood = verdict.lost.length + verdict.doubled.length + verdict.unknownThoughSeen.length === 0;
		return verdict;
	} finally {
		await Promise.all(workers.map(worker => worker.stop()));
		await queue.close();
		connection.disconnect();
		posted.close();
		await realm.stop();
		await redis.stop();
		await endFolder(folder, {isGood, say});
	}
}

/** Half of the posts get no answer, and the receipts queues go all the time, until `end` says how many posts it were. */
async function loseAnswers(site: string, senders: readonly Sender[]) {
	const ask = troubleOf(site);
	await ask('POST', 'shares', {share: 0.5, kinds: KINDS, seed: 11, operation: 'sendMessage'});
	let isOver = false;
	const expiring = (async () => {
		for (; !isOver; await sleep(EXPIRE_EVERY_MS)) {
			await Promise.all(senders.map(({email}) => ask('POST', 'expire-queue', {account: email})));
		}
	})();
	return {
		async end(): Promise<number> {
			isOver = true;
			await expiring;
			const {shares = []} = await ask('DELETE', 'shares');
			return shares[0]?.troubled ?? 0;
		},
	};
}

/** Creates a generic bot in addition to the other one, and conversations that both are in. */
async function furnish(site: string, other: Sender) {
	const enter = async (name: string) => {
		const email = `${name}@bothy.example`;
		const nobody = createClient({site, email, key: '', userAgent: 'faults/1'});
		const {api_key: key} = await nobody.devFetchApiKey({username: email});
		await nobody.close();
		const client = createClient({site, email, key, userAgent: 'faults/1'});
		return {client, email, id: (await client.getOwnUser()).user_id};
	};
	const [owner, bob, alice] = await Promise.all([enter('olivia'), enter('bob'), enter('alice')]);
	const created = await owner.client.createBot({full_name: 'Genny', short_name: 'genny', bot_type: 1});
	const generic: Sender = {email: 'genny-bot@bothy.example', key: created.api_key, userId: created.user_id};
	const places: {place: string; name: string; target: Target}[] = [];
	for (const [place, flags] of Object.entries(CHANNELS)) {
		const principals = [owner.id, generic.userId, other.userId];
		await owner.client.subscribe({subscriptions: [{name: place}], principals, ...flags});
		const {stream_id: channel} = await owner.client.getStreamId({stream: place});
		places.push({place, name: 'id', target: {channel, topic: 'x'}});
		places.push({place, name: 'name', target: {channel: place, topic: 'x'}});
	}

	for (const [place, people] of Object.entries({direct: [bob], group: [bob, alice]})) {
		places.push({place, name: 'id', target: {dm: people.map(({id}) => id)}});
		places.push({place, name: 'email', target: {dm: people.map(({email}) => email)}});
	}

	await Promise.all([owner, bob, alice].map(({client}) => client.close()));
	return {generic, places};
}
