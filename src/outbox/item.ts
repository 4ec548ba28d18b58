// One entry of an outbox, as a worker has it.

import {Payload} from '../api/index.js';
import type {StoredEntry} from '../delivery/store.js';
import {conversationOf, Target} from '../delivery/target.js';

/** An entry and the payload that it answers. The payload is undefined if it is not stored. */
export interface OutboxItem {
	readonly entry: StoredEntry;
	readonly payload: string | undefined;
}

/** Where an entry is posted. Undefined if it answers a payload that is not stored any more. */
export function targetOf({entry, payload}: OutboxItem): Target | undefined {
	if (entry.target !== '') {
		return Target.parse(JSON.parse(entry.target));
	}

	return payload === undefined ? undefined : conversationOf(Payload.parse(JSON.parse(payload)));
}
