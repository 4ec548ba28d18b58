// Takes all that an account's bot wants of the service's events.

import type {Event} from '../api/index.js';
import type {EventTrigger} from '../delivery/event-triggers.js';
import {createEdits} from './edits.js';
import {createJoins} from './joins.js';
import {createMessageWatch} from './messages.js';
import {createReactions} from './reactions.js';
import type {Scene, Watch} from './scene.js';

export interface Taker {
	readonly eventTypes: readonly string[];
	/** Delivers what happened while nobody polled. `newest` is the newest message when the queue was opened. */
	catchUp(newest: number): Promise<void>;
	take(event: Event): Promise<void>;
}

const WATCHES: Readonly<Record<Exclude<EventTrigger, 'channel_message'>, (scene: Scene) => Watch>> = {
	reaction: createReactions,
	edit: createEdits,
	join: createJoins,
};

export function createTaker(scene: Scene): Taker {
	const messages = createMessageWatch(scene);
	const watches = Object.entries(WATCHES).flatMap(([trigger, create]) =>
		scene.wanted.some(wanted => wanted === trigger) ? [create(scene)] : [],
	);
	return {
		eventTypes: ['message', ...watches.map(({eventType}) => eventType)],
		async catchUp(newest) {
			await scene.inbox.forgetAllBut(scene.tag, scene.wanted);
			await messages.catchUp(newest);
			for (const watch of watches) {
				await watch.catchUp();
			}
		},
		async take(event) {
			if (event.type === 'message') {
				await messages.take(event);
				return;
			}

			await watches.find(({eventType}) => eventType === event.type)?.take(event);
		},
	};
}
