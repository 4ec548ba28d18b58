// Where an account can read back what it posts. The service stores no message rows for outgoing-webhook and embedded
// bots. So where history is not shared, such a bot cannot see its own posts, and an empty result means nothing there
// (service-facts.md 4.8).

import type {Client} from '../client/client.js';
import {findChannel} from '../client/directory.js';
import {wasAnswered} from '../client/judge.js';
import type {Target} from '../delivery/target.js';

export interface Sight {
	/** `unsure`: the service cannot be asked now. */
	of(client: Client, target: Target): Promise<'sees' | 'blind' | 'unsure'>;
}

const WITHOUT_ROWS = [3, 4];

/** How long an answer stays valid. */
const FRESH_MS = 60_000;

type Channel = Awaited<ReturnType<Client['getStreams']>>['streams'][number];

interface Known {
	readonly at: number;
	readonly hasRows: boolean;
	/** Empty if the account sees everything. */
	readonly channels: readonly Channel[];
}

export function createSight(now: () => number): Sight {
	const accounts = new WeakMap<Client, Known>();

	async function knownOf(client: Client): Promise<Known> {
		const earlier = accounts.get(client);
		if (earlier && now() - earlier.at < FRESH_MS) {
			return earlier;
		}

		const {bot_type: type} = await client.getOwnUser();
		const hasRows = !WITHOUT_ROWS.includes(Number(type));
		const channels = hasRows ? [] : (await client.getStreams({include_public: true, include_subscribed: true})).streams;
		const known = {at: now(), hasRows, channels};
		accounts.set(client, known);
		return known;
	}

	return {
		async of(client, target) {
			try {
				const {hasRows, channels} = await knownOf(client);
				return hasRows || ('channel' in target && isShared(channels, target.channel)) ? 'sees' : 'blind';
			} catch (error) {
				return wasAnswered(error) ? 'blind' : 'unsure';
			}
		},
	};
}

function isShared(channels: readonly Channel[], channel: number | string): boolean {
	const found = findChannel(channels, channel);
	return found !== undefined && (!found.invite_only || found.history_public_to_subscribers);
}
