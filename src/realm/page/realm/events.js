// Long polling: opens an event queue, passes events on, and recovers from lost queues and connections.

import {NetworkError} from './api.js';

const MAX_PAUSE_MS = 10_000;
/** The realm sends a heartbeat before a minute is over. */
const POLL_TIMEOUT_MS = 90_000;

/**
 * @param open registers a queue and loads what it continues; gives {id, lastEventId}
 * @param onEvents gets each batch of events
 * @param onConnection gets `connected` or `reconnecting`
 * @param onSignedOut the realm does not know this key any more
 */
export async function listen({api, open, onEvents, onConnection, onSignedOut, signal}) {
	let queue;
	let failures = 0;

	async function step() {
		const isNew = queue === undefined;
		queue ??= await open();
		if (isNew) {
			onConnection('connected');
		}

		const {events} = await api.get(
			'events',
			// After a failure, ask for an immediate answer, so that the note about it disappears.
			{queue_id: queue.id, last_event_id: queue.lastEventId, dont_block: failures > 0 || undefined},
			{signal: AbortSignal.any([signal, AbortSignal.timeout(POLL_TIMEOUT_MS)])},
		);
		failures = 0;
		onConnection('connected');
		queue.lastEventId = events.at(-1)?.id ?? queue.lastEventId;
		onEvents(events);
	}

	while (!signal.aborted) {
		try {
			await step();
		} catch (error) {
			if (signal.aborted) {
				return;
			}

			if (error.status === 401) {
				return onSignedOut();
			}

			if (error.status === 400) {
				queue = undefined;
			}

			failures += 1;
			// One lost queue is normal: the laptop slept, or the realm restarted.
			if (failures > 1 || error instanceof NetworkError || error.status !== 400) {
				onConnection('reconnecting');
				await pause(Math.min(MAX_PAUSE_MS, 500 * 2 ** failures), signal);
			}
		}
	}
}

function pause(ms, signal) {
	return new Promise(
		/** @param {(value?: undefined) => void} resolve */ resolve => {
			const timer = setTimeout(resolve, ms);
			signal.addEventListener('abort', () => {
				clearTimeout(timer);
				resolve();
			});
		},
	);
}
