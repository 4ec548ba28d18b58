// Fetches the messages of conversations, a page at a time.

import {keyOf, narrowOf} from './places.js';
import {addPage, changeConversation, renewConversation} from './state.js';

const PAGE_SIZE = 100;
/** On a slow line, the first messages count. */
const FIRST_PAGE_SIZE = 50;

export function createPager({api, store}) {
	function ask(narrow, range) {
		return api.get('messages', {num_before: 0, num_after: 0, ...range, narrow, allow_empty_topic_name: true});
	}

	/** Marks the conversation as loading, and keeps an error for its reader. */
	async function fill(place, range, take) {
		const key = keyOf(place);
		store.update(state => changeConversation(state, key, {isLoading: true, error: undefined}));
		try {
			const page = await ask(narrowOf(place), range);
			store.update(state => take(state, key, page));
		} catch (error) {
			store.update(state => changeConversation(state, key, {isLoading: false, error: error.message}));
		}
	}

	const edge = (place, index) => store.get().conversations.get(keyOf(place))?.messages.at(index)?.id;
	const newest = {anchor: 'newest', num_before: FIRST_PAGE_SIZE};

	/** Whether the conversation has the message, or all messages around it. */
	function has(place, id) {
		const conversation = store.get().conversations.get(keyOf(place));
		return conversation && (id === undefined || conversation.messages.some(message => message.id === id));
	}

	return {
		fetchNewest: narrow => ask(narrow, newest),
		/** Fetches what the place shows first, unless it is there. */
		async open(place, nearId) {
			if (has(place, nearId)) {
				return;
			}

			if (nearId === undefined) {
				await fill(place, newest, renew);
				return;
			}

			const around = {anchor: nearId, num_before: PAGE_SIZE / 2, num_after: PAGE_SIZE / 2};
			await fill(place, around, (state, key, {messages, found_oldest: isOldest, found_newest: isNewest}) => {
				// What was there may not touch this page.
				const bare = changeConversation(state, key, {messages: []});
				return addPage(bare, key, {messages, hasOlder: !isOldest, hasNewer: !isNewest});
			});
		},
		fetchAgain: async place => place && fill(place, newest, renew),
		fetchOlder: place =>
			fill(place, {anchor: edge(place, 0), include_anchor: false, num_before: PAGE_SIZE}, (state, key, page) =>
				addPage(state, key, {messages: page.messages, hasOlder: !page.found_oldest}),
			),
		fetchNewer: place =>
			fill(place, {anchor: edge(place, -1), include_anchor: false, num_after: PAGE_SIZE}, (state, key, page) =>
				addPage(state, key, {messages: page.messages, hasNewer: !page.found_newest}),
			),
	};
}

function renew(state, key, {messages, found_oldest: isWhole}) {
	return renewConversation(state, key, {messages, hasOlder: !isWhole});
}
