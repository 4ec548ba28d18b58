import {badRequest} from '../errors.js';
import {handler} from '../http/handler.js';

export const getEvents = handler(
	'getEvents',
	async ({services, caller, parameters, gone}) => {
		const events = await services.queues.poll({
			queueId: given('queue_id', parameters.queue_id),
			userId: caller.id,
			lastEventId: readId(given('last_event_id', parameters.last_event_id)),
			dontBlock: parameters.dont_block,
			gone,
		});

		return {events};
	},
	['queue_id', 'last_event_id'],
);

/** The events server is another program: it names no `var_name`. */
function given(name: string, value: string | undefined): string {
	if (value === undefined) {
		throw badRequest(`Missing '${name}' argument`);
	}

	return value;
}

function readId(text: string): number {
	let id: unknown;
	try {
		id = JSON.parse(text);
	} catch {
		throw badRequest('last_event_id is not valid JSON');
	}

	if (!Number.isInteger(id)) {
		throw badRequest('last_event_id is not an integer');
	}

	// Just seen to be one.
	return id as number;
}
