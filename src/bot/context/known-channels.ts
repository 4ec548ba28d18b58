// Checks with one look-up whether a channel exists before a bot posts there.

import type {Client} from '../../client/client.js';

/** How long a found channel counts as existing. */
const FRESH_MS = 60_000;

/** If the service takes longer, the post goes ahead: the service then refuses it itself. */
const TIMEOUT_MS = 2_000;

interface Known {
	readonly at: number;
	readonly names: ReadonlySet<string>;
}

const known = new WeakMap<Client, Known>();

/** False only if the account certainly sees no channel with that name. */
export async function mayExist(client: Client, name: string, now: number): Promise<boolean> {
	const earlier = known.get(client);
	const wanted = name.toLowerCase();
	if (earlier && now - earlier.at < FRESH_MS && earlier.names.has(wanted)) {
		return true;
	}

	try {
		// A bot may also post in channels that only its owner sees.
		const {streams} = await client.getStreams({include_owner_subscribed: true}, {timeoutMs: TIMEOUT_MS});
		const names = new Set(streams.map(channel => channel.name.toLowerCase()));
		known.set(client, {at: now, names});
		return names.has(wanted);
	} catch {
		return true;
	}
}
