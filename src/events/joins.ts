// Delivers the members who join a channel to which the bot is subscribed, each once. Stores who is a member, because the service
// gives a join neither a time nor a number.

import {randomUUID} from 'node:crypto';
import type {Event} from '../api/index.js';
import {z} from '../api/zod.js';
import {retryUntilAnswered} from './retry.js';
import type {Scene, Watch} from './scene.js';

const SubscriptionEvent = z.looseObject({
	op: z.string(),
	stream_ids: z.array(z.int()).default([]),
	user_ids: z.array(z.int()).default([]),
});

/** Tells this list of members from one that was forgotten. */
const GENERATION = 'generation';

export function createJoins(scene: Scene): Watch {
	const {tag, client, people, inbox, retry} = scene;
	/** Fields: `<channel>` for each that is known, and `<channel> <user>` with `+` or `-` and how often the user joined. */
	let known = new Map<string, string>();
	const names = new Map<number, string>();

	async function change(put: Readonly<Record<string, string>>, drop: readonly string[] = []): Promise<void> {
		await inbox.changeMembers(tag, put, drop);
		for (const [field, value] of Object.entries(put)) {
			known.set(field, value);
		}

		for (const field of drop) {
			known.delete(field);
		}
	}

	async function join(channel: number, user: number): Promise<void> {
		const field = `${channel} ${user}`;
		const before = known.get(field);
		if (!known.has(`${channel}`) || before?.startsWith('+')) {
			return;
		}

		retry.signal.throwIfAborted();
		const count = countOf(before) + 1;
		const by = await people.person(user);
		if (by) {
			await scene.deliver({
				kind: 'join',
				by,
				channel: {id: channel, name: names.get(channel) ?? ''},
				count,
				generation: known.get(GENERATION) ?? '',
			});
		}

		await change({[field]: `+${count}`});
	}

	async function leave(channel: number, user: number): Promise<void> {
		const before = known.get(`${channel} ${user}`);
		if (before?.startsWith('+')) {
			await change({[`${channel} ${user}`]: before.replace('+', '-')});
		}
	}

	/** Compares the members with the stored ones. If a channel is new to the bot, its members count as old. */
	async function compare(): Promise<void> {
		const {subscriptions} = await retryUntilAnswered(retry, () =>
			client.getSubscriptions({include_subscribers: true}, {signal: retry.signal}),
		);
		known = new Map(Object.entries(await inbox.members(tag)));
		if (!known.has(GENERATION)) {
			await change({[GENERATION]: randomUUID()});
		}

		const ids = new Set(subscriptions.map(({stream_id: id}) => String(id)));
		// Keep how often each member joined: a later join must not get the number of an earlier one.
		await change(
			{},
			[...known.keys()].filter(field => /^\d+$/.test(field) && !ids.has(field)),
		);
		for (const {stream_id: channel, name, subscribers = []} of subscriptions) {
			names.set(channel, name);
			const present = new Set(subscribers.map(user => `${channel} ${user}`));
			const gone = [...known.keys()].filter(field => field.startsWith(`${channel} `) && !present.has(field));
			for (const field of gone) {
				await leave(channel, Number(field.split(' ')[1]));
			}

			if (!known.has(`${channel}`)) {
				const old = subscribers.map(user => [`${channel} ${user}`, `+${countOf(known.get(`${channel} ${user}`))}`]);
				await change({...Object.fromEntries(old), [`${channel}`]: ''});
				continue;
			}

			for (const user of subscribers) {
				await join(channel, user);
			}
		}
	}

	return {
		eventType: 'subscription',
		catchUp: compare,
		async take(event: Event) {
			const {op, stream_ids: channels, user_ids: users} = SubscriptionEvent.parse(event);
			if (op === 'add' || op === 'remove') {
				await compare();
				return;
			}

			for (const channel of op === 'peer_add' || op === 'peer_remove' ? channels : []) {
				for (const user of users) {
					await (op === 'peer_add' ? join(channel, user) : leave(channel, user));
				}
			}
		},
	};
}

function countOf(member = '-0'): number {
	return Number(member.slice(1));
}
