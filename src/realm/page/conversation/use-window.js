// Which of the loaded messages are in the document. Never more than MOST_SHOWN, however many are loaded.

import {useState} from 'preact/hooks';
import {keyOf} from '../chat/places.js';

const MOST_SHOWN = 300;
/** At the end of a conversation. The rest is for what arrives while the reader is further up. */
const SHOWN_AT_END = 200;
const STEP = 100;

export function useWindow({chat, place, messages, hasOlder, hasNewer}) {
	// Undefined: follow the newest messages.
	const [startId, setStartId] = useState(undefined);
	const found = startId === undefined ? -1 : messages.findIndex(({id}) => id >= startId);
	const start = found === -1 ? Math.max(0, messages.length - SHOWN_AT_END) : found;
	const shown = messages.slice(start, start + MOST_SHOWN);
	const isCut = start + shown.length < messages.length;

	/** Moves the window so that it starts this many messages before or after one. */
	function moveFrom(id, by) {
		const {messages: all} = chat.store.get().conversations.get(keyOf(place));
		const index = all.findIndex(message => message.id === id);
		setStartId(all[Math.min(all.length - 1, Math.max(0, index + by))]?.id);
	}

	return {
		start,
		shown,
		hasOlder: hasOlder || start > 0,
		hasNewer: hasNewer || isCut,
		async showOlder() {
			const [first] = shown;
			if (start === 0) {
				await chat.fetchOlder(place);
			}

			moveFrom(first.id, -STEP);
		},
		async showNewer() {
			const [first] = shown;
			if (!isCut) {
				await chat.fetchNewer(place);
			}

			moveFrom(first.id, STEP);
		},
		async showNewest() {
			setStartId(undefined);
			if (hasNewer) {
				await chat.fetchAgain(place);
			}
		},
		showAround: id => moveFrom(id, -STEP),
		/** New messages do not move the window while the reader is further up. */
		hold: () => setStartId(before => before ?? shown[0]?.id),
		follow: () => setStartId(undefined),
	};
}
