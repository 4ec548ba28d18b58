// One entry of an outbox, as a worker has it.

import type {StoredEntry} from '../delivery/store.js';
import {conversationOf, Target} from '../delivery/target.js';
import {answeredBy, type Work} from '../delivery/work.js';

/** An entry and the work that made it. The work is undefined if it is not stored, or cannot be read. */
export interface OutboxItem {
	readonly entry: StoredEntry;
	readonly work: Work | undefined;
}

/** Where an entry is posted. Undefined if it answers a payload that is not stored any more. */
export function targetOf({entry, work}: OutboxItem): Target | undefined {
	if (entry.target !== '') {
		return Target.parse(JSON.parse(entry.target));
	}

	const answered = work && answeredBy(work);
	return answered && conversationOf(answered);
}
