// A bot, and hosts of it that share their stores. A host may die before any of its steps: a call of a store or of the service.

import type {ExecutionContext} from 'ava';
import type {Payload} from '../../src/api/index.js';
import {z} from '../../src/api/zod.js';
import {type Bot, bot} from '../../src/bot/bot.js';
import {hooksOf} from '../../src/bot/context/http.js';
import {parseConfig} from '../../src/bot/settings.js';
import type {Client} from '../../src/client/client.js';
import {LEASE_MS} from '../../src/delivery/store.js';
import {readWork, type Work} from '../../src/delivery/work.js';
import {openRealm} from '../../src/realm/index.js';
import {createClients} from '../../src/testing/clients.js';
import {createLocalPool} from '../../src/testing/connections.js';
import {createHost, type TestHost} from '../../src/testing/host.js';
import {createMemoryStores} from '../../src/testing/memory-stores.js';
import {payload} from '../helpers/payload.js';

export const HOUR_MS = 3_600_000;
const At = z.object({at: z.string()});

/** Begins what outlives its process. */
const steady = bot({
	about: 'Outlives its process',
	perMinute: 0,
	config: z.object({key: z.string().default('0123456789abcdef')}),
})
	.command('stream', {about: 'x', args: At}, async (ctx, {at}) => {
		const stream = ctx.stream();
		await stream.write(`stream ${at} `);
		// Fires after the stream's own timer of 1 ms, so the message shows this text before the next one comes.
		await new Promise(resolve => setTimeout(resolve, 2));
		await stream.write('x'.repeat(10_000));
		await stream.write(` end ${at}`);
	})
	.command('ask', {about: 'x', args: At}, async (ctx, {at}) => {
		await ctx.ask('decide', `question ${at}`, {of: 'bob@bothy.example', data: {at}});
		await ctx.reply(`asked ${at}`);
	})
	.answer('decide', z.enum(['yes', 'no']), {data: At}, async (ctx, answer, {data, from}) => {
		await ctx.send(from, `decided ${data.at} ${answer}`);
		await ctx.reply(`thanks ${data.at}`);
	})
	.command('later', {about: 'x', args: At}, async (ctx, {at}) => {
		await ctx.later(new Date(ctx.now().getTime() + HOUR_MS), 'ring', {at}, {key: at});
	})
	.later('ring', At, async (ctx, {at}) => {
		await ctx.send(ctx.from ?? {channel: 'general', topic: 'x'}, `rang ${at}`);
	})
	.http('/hook', {secret: 'key', verify: 'token'}, async ctx => {
		await ctx.send({channel: 'general', topic: 'x'}, `requested ${ctx.request.text}`);
	});

const SILENT = {info() {}, warn() {}, error() {}};

/** Longer than any lease or lock. */
const LEASES_MS = 4 * LEASE_MS;

export function openDyingHosts(t: ExecutionContext) {
	const realm = openRealm({
		file: ':memory:',
		now: Date.parse('2026-11-21T10:00:00Z'),
		rateLimit: false,
		connect: () => {
			throw new Error('Expected no webhook');
		},
	});
	const {services, url: site} = realm;
	const now = () => services.clock.now();
	const bothy = realm.ensureBot({name: 'dies', fullName: 'Dies', payloadUrl: site, isPolled: true});
	const pool = createLocalPool(realm.server, site);
	t.teardown(() => Promise.all([pool.destroy(), realm.close()]));
	const clientOf = createClients(realm, pool);
	const stores = createMemoryStores(now);
	const errors: unknown[] = [];
	const config = parseConfig(steady.config, {}, {place: 'the test'});
	const erased = steady as Bot<unknown, unknown>;
	const hooks = hooksOf(erased, config, 'the test');
	let hosts = 0;

	/** Dies before the step after `steps` steps. */
	function start(steps: number) {
		let left = steps;
		let noteDeath = () => {};
		const death = new Promise<'died'>(resolve => {
			noteDeath = () => resolve('died');
		});
		async function step(): Promise<void> {
			if (left-- > 0) {
				return;
			}

			noteDeath();
			await new Promise(() => {});
		}

		const {values, questions} = stores;
		const clients = new Map<string, Client>();
		const host = createHost({
			bot: erased,
			config,
			account: {...steady.rules, name: 'dies', site, email: bothy.email, tokens: [bothy.token], hooks},
			draftAccounts: [],
			clientOf(email) {
				const client = clients.get(email) ?? stepwise(clientOf(email), step);
				clients.set(email, client);
				return client;
			},
			fetchOnce: fetch,
			log: SILENT,
			now,
			report: error => errors.push(error),
			process: `process ${++hosts}`,
			stores: {
				...stores,
				deliveries: stepwise(stores.deliveries, step),
				outboxes: stepwise(stores.outboxes, step),
				crons: stepwise(stores.crons, step),
				values: writer => stepwise(values(writer), step),
				questions: writer => stepwise(questions(writer), step),
			},
		});
		return {host, death};
	}

	/** Does everything that is due until then. */
	async function live({idle, next, work}: TestHost, until: number): Promise<void> {
		await idle();
		for (let at = next(); at <= until; at = next()) {
			services.clock.advance(Math.max(0, at - now()));
			work();
			await idle();
		}

		services.clock.advance(Math.max(0, until - now()));
	}

	return {
		start,
		errors,
		/** Runs the work and what follows from it within this time. */
		async run(host: TestHost, work: Work, ms: number): Promise<void> {
			const until = now() + ms;
			await host.deliver(work);
			await live(host, until);
		},
		/** Runs again what a dead host has left, as the sweep does. */
		async takeOver(host: TestHost): Promise<void> {
			services.clock.advance(LEASES_MS);
			for (const {status, work} of [...stores.memory.deliveries.values()]) {
				if (status === 'running') {
					await host.deliver(readWork(work));
				}
			}

			await live(host, now() + LEASES_MS);
		},
		/** A message to the bot, in #general or as a direct message. */
		async message(person: string, text: string, where: 'channel' | 'dm' = 'channel'): Promise<Work> {
			const client = clientOf(`${person}@bothy.example`);
			const {user_id: id, email, full_name: name} = await client.getOwnUser();
			const place =
				where === 'dm'
					? {type: 'direct' as const, to: [bothy.userId]}
					: {type: 'channel' as const, to: 'general', topic: 'steps'};
			const {id: messageId} = await client.sendMessage({...place, content: text});
			const {message} = await client.getMessage({message_id: messageId, apply_markdown: false});
			const people = [
				{id, email, full_name: name},
				{id: bothy.userId, email: bothy.email, full_name: 'Dies'},
			];
			const there: Partial<Payload['message']> =
				where === 'dm'
					? {type: 'private', display_recipient: people.map(each => ({...each, is_mirror_dummy: false}))}
					: {stream_id: message.stream_id ?? 0, subject: 'steps'};
			const {timestamp} = message;
			const sender = {sender_id: id, sender_email: email, sender_full_name: name, timestamp};
			const about = {botEmail: bothy.email, botName: 'Dies', trigger: where === 'dm' ? 'direct_message' : 'mention'};
			return {kind: 'message', payload: payload({...about, text, messageId, message: {...sender, ...there}})};
		},
		/** The texts of the bot's messages, oldest first. */
		contents: () =>
			services.store
				.all<{content: string}>('SELECT content FROM messages WHERE sender_id = ? ORDER BY id', bothy.userId)
				.map(({content}) => content),
		now,
	};
}

/** The same object, but each of its methods begins with a step. */
function stepwise<Held extends object>(held: Held, step: () => Promise<void>): Held {
	return new Proxy(held, {
		get(target, key) {
			const value: unknown = Reflect.get(target, key);
			return typeof value === 'function'
				? async (...given: unknown[]) => {
						await step();
						return Reflect.apply(value, target, given);
					}
				: value;
		},
	});
}
