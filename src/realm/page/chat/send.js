// Own messages: shown at once, confirmed by the realm's event, and kept if the realm refuses them.

import {changePending, dropPending} from './state.js';

/** @param queueId gives the event queue that will tell of the message */
export function createSender({api, store, queueId}) {
	async function attempt({localId, place, content}) {
		try {
			const {id} = await api.post('messages', {
				...recipients(place),
				content,
				queue_id: queueId(),
				local_id: localId,
			});
			store.update(state => changePending(state, localId, {status: 'sent', id}));
		} catch (error) {
			store.update(state => changePending(state, localId, {status: 'failed', error: error.message}));
		}
	}

	return {
		send(place, content) {
			const timestamp = Math.floor(Date.now() / 1000);
			const message = {localId: crypto.randomUUID(), place, content, timestamp, status: 'sending'};
			store.update(state => ({...state, pending: [...state.pending, message]}));
			return attempt(message);
		},
		sendAgain(message) {
			store.update(state => changePending(state, message.localId, {status: 'sending', error: undefined}));
			return attempt(message);
		},
		discard(message) {
			store.update(state => dropPending(state, message.localId));
		},
	};
}

export function recipients(place) {
	if (place.kind === 'direct') {
		return {type: 'direct', to: place.userIds};
	}

	// Every feature level has this word.
	return {type: 'stream', to: place.channelId, topic: place.topic};
}
