// Drafts and scheduled messages, which the realm stores.

import {keyOf} from './places.js';
import {recipients} from './send.js';
import {takeEvent} from './take-event.js';

/** @param attempt runs a call, and shows why it failed */
export function createLater({api, store, attempt}) {
	// One after the other, because the second change of a draft needs the ID from the first.
	let last = Promise.resolve(true);

	async function storeDraft(place, content) {
		const {drafts, me} = store.get();
		const before = drafts.find(draft => keyOf(placeOfDraft(draft, me)) === keyOf(place));
		if (content.trim() === '') {
			return before && (await api.delete(`drafts/${before.id}`));
		}

		const draft = draftOf(place, content);
		if (before) {
			return before.content !== content && (await api.patch(`drafts/${before.id}`, {draft}));
		}

		const {ids} = await api.post('drafts', {drafts: [draft]});
		store.update(state => takeEvent(state, {type: 'drafts', op: 'add', drafts: [{...draft, id: ids[0]}]}));
	}

	return {
		/** @param timestamp in seconds */
		schedule(place, content, timestamp) {
			const {topic, ...to} = recipients(place);
			const when = {scheduled_delivery_timestamp: timestamp};
			return attempt('Not scheduled', () => api.post('scheduled_messages', {...to, topic, content, ...when}));
		},
		reschedule({scheduled_message_id: id}, changes) {
			return attempt('Not changed', () => api.patch(`scheduled_messages/${id}`, changes));
		},
		unschedule({scheduled_message_id: id}) {
			return attempt('Not cancelled', () => api.delete(`scheduled_messages/${id}`));
		},
		/** Stores a text for later, or changes the draft that the place has. An empty text deletes it. */
		saveDraft(place, content) {
			last = last.then(() => attempt('The draft was not stored', () => storeDraft(place, content)));
			return last;
		},
		deleteDraft: ({id}) => attempt('Not deleted', () => api.delete(`drafts/${id}`)),
	};
}

function draftOf(place, content) {
	const isDirect = place.kind === 'direct';
	const to = isDirect ? place.userIds : [place.channelId];
	return {type: isDirect ? 'private' : 'stream', to, topic: place.topic ?? '', content};
}

/** @returns {import('./places.js').Place} */
export function placeOfDraft({type, to, topic}, me) {
	if (type === 'stream') {
		return {kind: 'topic', channelId: to[0], topic};
	}

	const others = to.filter(id => id !== me.user_id).sort((a, b) => a - b);
	return {kind: 'direct', userIds: others.length > 0 ? others : [me.user_id]};
}

/** @returns {import('./places.js').Place} */
export function placeOfScheduled({type, to, topic}, me) {
	return placeOfDraft({type, to: [to].flat(), topic}, me);
}
