// Whether a channel that a bot names exists, as far as one look-up can tell.

import type {Client} from '../client/client.js';

/** How long it is taken for granted that a channel exists. */
const FRESH_MS = 60_000;

/** A service that does not answer so soon is not waited for: it says later what it refuses. */
const PATIENCE_MS = 2_000;

interface Known {
	readonly at: number;
	readonly names: ReadonlySet<string>;
}

const known = new WeakMap<Client, Known>();

/** False when the account certainly sees no channel of that name. */
export async function mayExist(client: Client, name: string, now: number): Promise<boolean> {
	const earlier = known.get(client);
	const wanted = name.toLowerCase();
	if (earlier && now - earlier.at < FRESH_MS && earlier.names.has(wanted)) {
		return true;
	}

	try {
		// A bot may post wherever its owner may.
		const {streams} = await client.getStreams({include_owner_subscribed: true}, {timeoutMs: PATIENCE_MS});
		const names = new Set(streams.map(channel => channel.name.toLowerCase()));
		known.set(client, {at: now, names});
		return names.has(wanted);
	} catch {
		return true;
	}
}
