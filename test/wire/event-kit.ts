// An event queue of some types, read by literal requests.

import {at, type Caller, type Json} from './raw-request.js';

export interface RawQueue {
	/** What happened so far; nothing is acknowledged. */
	events(): Promise<Json[]>;
}

/** `more` is a piece of the form after `event_types`, `&narrow=…`. */
export async function openQueue(caller: Caller, type: string, more = ''): Promise<RawQueue> {
	const {json} = await caller.post('/api/v1/register', `event_types=%5B%22${type}%22%5D${more}`);
	const id = String(at(json, 'queue_id'));

	return {
		async events() {
			const answer = await caller.get(`/api/v1/events?queue_id=${id}&last_event_id=-1&dont_block=true`);
			const events = at(answer.json, 'events');
			if (!Array.isArray(events)) {
				throw new Error(`Expected events, found ${answer.body}`);
			}

			return events;
		},
	};
}
