// Reads what an event queue has, without waiting.

import {at, type Caller, type Json} from './raw-request.js';

/** Registers for one type with a literal rest of the form; the answer reads the events so far, without their IDs. */
export async function queueOf(caller: Caller, type: string, form = ''): Promise<() => Promise<Json[]>> {
	const {json} = await caller.post(
		'/api/v1/register',
		`event_types=%5B%22${type}%22%5D&queue_lifespan_secs=86400${form}`,
	);
	const path = `/api/v1/events?queue_id=${at(json, 'queue_id')}&last_event_id=-1&dont_block=true`;

	return async () => {
		const events = at((await caller.get(path)).json, 'events');
		return (Array.isArray(events) ? events : []).map(event => {
			const {id: _id, ...fields} = Object(event);
			return fields;
		});
	};
}
