// Ten incidents, staged through the real stores, services and processes.

import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {Redis} from 'ioredis';
import {createRedisStore} from '../../src/delivery/redis-store.js';
import type {DeliveryRef} from '../../src/delivery/ref.js';
import {workRef, workText} from '../../src/delivery/work.js';
import {sending} from '../../src/outbox/entry-state.js';
import {createOutboxStore} from '../../src/outbox/store.js';
import {CheckedCron} from '../../src/queue/cron.js';
import {accountKey, accountTag} from '../../src/redis/account-key.js';
import {createCronStore} from '../../src/schedules/cron-store.js';
import {dataFolder, type Scope} from '../helpers/bothy.js';
import {type House, openHouse, type Talker} from '../helpers/house.js';
import {payload} from '../helpers/payload.js';
import {until} from '../helpers/until.js';
import {type OpenedConsole, startConsole} from './console-kit.js';

const FACE = fileURLToPath(new URL('../../src/index.js', import.meta.url));

const CHEESE = `
	import {bot} from ${JSON.stringify(FACE)};
	export default bot({about: 'Sells cheese'}).on('direct_message', async ctx => {
		if (ctx.text === 'later') {
			await ctx.schedule(new Date(Date.now() + 86_400_000), {dm: [ctx.sender.id]}, 'tomorrow', {key: 'cheddar'});
			await ctx.reply('planned');
			return;
		}
		throw new RangeError('out of ' + ctx.text);
	});
`;

const SLOW_MS = 12_400;

/** Where staged sends go. */
const LOBBY = JSON.stringify({channel: 'general', topic: 'console'});

export interface Scene extends OpenedConsole {
	readonly house: House;
	readonly alice: Talker;
	/** Another console, on a Redis for which no worker runs. */
	readonly unmanned: OpenedConsole;
	/** The tag of an account. */
	tag(bot: string): string;
	/** A delivery of a bot that has ended, and one send in this state. */
	stageSend(bot: string, messageId: number, state: 'unknown' | `failed ${string}` | 'waiting'): Promise<DeliveryRef>;
	/** The reference in the last apology. */
	readonly reference: string;
}

export async function stageIncidents(t: Scope, unmannedRedisUrl: string): Promise<Scene> {
	const folder = await dataFolder(t);
	await writeFile(join(folder, 'cheese.mjs'), CHEESE);
	await writeFile(join(folder, 'broken.mjs'), "throw new Error('expected a price in `config.price`');");
	const house = await openHouse(t, {
		bots: {echo: undefined, cheese: undefined, broken: undefined, remind: undefined},
		env: {BOTHY_BOTS: folder},
		async sections(realm) {
			return {
				revoked: {email: 'gone-bot@bothy.example', key: 'wrong', site: realm.url, bot: 'echo', token: 'r'.repeat(32)},
			};
		},
	});
	const opened = await startConsole(t, house.env);
	const unmanned = await startConsole(t, {...house.env, REDIS_URL: unmannedRedisUrl});
	const {redis} = opened;
	const alice = await house.signIn('alice');
	const emails = {revoked: 'gone-bot@bothy.example'};
	const accountOf = (bot: string) => {
		const found = house.accounts[bot];
		return {site: house.realm.url, email: found?.email ?? emails.revoked};
	};
	const tag = (bot: string) => accountTag(accountOf(bot));
	const scene = {...opened, house, alice, unmanned, tag, stageSend: sendStager(redis, accountOf)};

	const apology = await alice.ask('cheese', 'gouda');
	const [, reference = ''] = /Reference: ([\da-f]{8})/.exec(apology) ?? [];
	await scene.stageSend('echo', 9001, 'unknown');
	await stageParked(redis, accountOf('echo'));
	await house.run('send', 'revoked', 'alice@bothy.example', 'hello', '--no-wait');
	await stageStaleToken(house);
	await house.run('bots', 'pause', 'remind');
	await stageMissedCron(redis, tag('echo'));
	await stageSlow(redis, accountOf('remind'));
	const key = accountKey(redis, tag('revoked'), 'trouble');
	await until(async () => (await redis.exists(key, accountKey(redis, tag('echo'), 'wrong-tokens'))) === 2);
	return {...scene, reference};
}

/** What the first screen says of the incidents of accounts. */
export const CAUSES: readonly [title: string, about: string, cause: RegExp][] = [
	[
		'a bot that throws',
		'cheese',
		/1 delivery of the last hour failed; the latest: [\da-f]{8} RangeError: out of gouda/,
	],
	['an unknown send', 'echo', /1 send failed or has an unknown outcome; the oldest is unknown/],
	['a parked delivery', 'echo', /1 delivery .*three times/],
	['a revoked key', 'revoked', /calls have failed .* 401\)/],
	['a stale token', 'echo', /1 webhook had a wrong token/],
	['a paused account', 'remind', /an operator paused it: it answers with a text/],
	['a missed cron', 'echo', /the cron yearly was due while no worker ran; 3 due times/],
	['a broken plugin', 'broken', /the bot does not run: .*expected a price in config.price/],
	['a slow bot', 'remind', /3 of the latest 3 deliveries took longer than 8\.0 s, at most 12\.\d s/],
];

function messageOf(email: string, messageId: number, text: string) {
	return payload({botEmail: email, messageId, text, message: {sender_full_name: 'Alice <b>Ahn</b>'}});
}

function sendStager(redis: Redis, accountOf: (bot: string) => {site: string; email: string}): Scene['stageSend'] {
	const store = createRedisStore(redis);
	const outboxes = createOutboxStore(redis);
	return async (bot, messageId, state) => {
		const account = accountOf(bot);
		const work = {kind: 'message', payload: messageOf(account.email, messageId, 'a private matter')} as const;
		const ref = workRef(account, work);
		const isWaiting = state === 'waiting';
		const request = {nonce: 'a', work: workText(work), sender: 9, perMinute: 0};
		await store.claim(ref, request);
		const dueAt = isWaiting ? Date.now() + 3_600_000 : 0;
		const entry = {n: 1, kind: 'send', target: LOBBY, text: `post of ${messageId}`, dueAt, mayBePosted: false} as const;
		await outboxes.put(ref, entry);
		const attempt = sending({at: Date.now(), after: 0, queue: '', since: 0, failures: 0, refusals: 0});
		if (!isWaiting) {
			await outboxes.open(ref, 'stage', attempt);
		}

		await store.finish(ref, {run: 1, answer: '{"content":"x"}', canAnswer: true, replies: []});
		if (!isWaiting) {
			await outboxes.end(ref, 'stage', {n: 1, state, attempt, closeMs: 0});
		}

		return ref;
	};
}

async function stageParked(redis: Redis, account: {site: string; email: string}): Promise<void> {
	const store = createRedisStore(redis);
	const work = {kind: 'message', payload: messageOf(account.email, 9002, 'poison')} as const;
	const ref = workRef(account, work);
	await store.claim(ref, {nonce: 'a', work: workText(work), sender: 9, perMinute: 0});
	await store.park(ref, '');
	// As after three ended processes: nobody was left to note an error.
	await redis.hdel(accountKey(redis, ref.account, `delivery:${ref.id}`), 'error');
}

async function stageStaleToken(house: House): Promise<void> {
	const stale = payload({botEmail: house.accounts.echo?.email ?? '', token: 's'.repeat(32)});
	await fetch(`${house.receiverUrl()}/webhook`, {
		method: 'POST',
		headers: {'content-type': 'application/json'},
		body: JSON.stringify(stale),
	});
}

async function stageMissedCron(redis: Redis, tag: string): Promise<void> {
	const crons = createCronStore(redis);
	const cron = CheckedCron.parse({pattern: '0 9 1 1 *', tz: 'UTC', missed: 'skip'});
	await crons.put(tag, 'yearly', {cron, what: {kind: 'send', target: LOBBY, text: 'Happy new year'}});
	await crons.count(tag, 'yearly', {missed: 3, missedAt: Date.now() - 600_000});
}

/** Deliveries that took longer than the service waits. */
async function stageSlow(redis: Redis, account: {site: string; email: string}): Promise<void> {
	const store = createRedisStore(redis);
	for (const messageId of [9101, 9102, 9103]) {
		const work = {kind: 'message', payload: messageOf(account.email, messageId, 'remind me')} as const;
		const ref = workRef(account, work);
		await store.claim(ref, {nonce: 'a', work: workText(work), sender: 9, perMinute: 0});
		await redis.hincrby(accountKey(redis, ref.account, `delivery:${ref.id}`), 'at', -SLOW_MS);
		await store.finish(ref, {run: 1, answer: '{"content":"x"}', canAnswer: true, replies: []});
	}
}
