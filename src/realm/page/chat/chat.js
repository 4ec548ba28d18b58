// The session of one person: loads the realm, follows its events, opens conversations. The screen only reads `store`.

import {listen} from '../realm/events.js';
import {loadDirectory, loadRealm} from '../realm/load-realm.js';
import {keyOf, narrowOf, placeOf} from './places.js';
import {readMarks} from './read-marks.js';
import {createSender} from './send.js';
import {addMessage, addPage, addUnread, changeConversation, emptyState, noteConversation, unreadKeys} from './state.js';
import {createStore} from './store.js';

const PAGE_SIZE = 100;

export function createChat({api, onSignedOut}) {
	const store = createStore(emptyState);
	const end = new AbortController();
	let queueId;
	let marks;

	async function open() {
		const loaded = await loadRealm(api);
		const {openPlace} = store.get();
		queueId = loaded.queueId;
		marks = readMarks(loaded.fields.me.email, loaded.newestId);
		store.update(state => {
			// Other conversations may have gaps now.
			const conversations = new Map([...state.conversations].filter(([key]) => openPlace && key === keyOf(openPlace)));
			const next = {...state, ...loaded.fields, conversations, unread: new Map(), directs: new Map(), isLoaded: true};
			return loaded.recent.reduce(takeIn, next);
		});
		markRead();
		if (openPlace) {
			await fetchPage(openPlace);
		}

		return {id: loaded.queueId, lastEventId: loaded.lastEventId};
	}

	function takeIn(state, message) {
		const {user_id: myId} = state.me;
		const isRead = message.sender_id === myId || marks.isRead(keyOf(placeOf(message, myId)), message.id);
		const noted = message.type === 'private' ? noteConversation(state, message) : state;
		return isRead ? noted : addUnread(noted, message);
	}

	function onEvents(events) {
		for (const event of events) {
			if (event.type === 'message') {
				store.update(state => hear(takeIn(state, event.message), event));
			}
		}

		markRead();
		if (events.some(event => ['realm_user', 'subscription', 'stream'].includes(event.type))) {
			refresh();
		}
	}

	function hear(state, {message, local_message_id: localId}) {
		const isMine = message.sender_id === state.me.user_id;
		const text = new DOMParser().parseFromString(message.content, 'text/html').body.textContent.trim();
		const announcement = isMine ? state.announcement : `${message.sender_full_name}: ${text}`;
		return {...addMessage(state, message, localId), announcement};
	}

	/** People or channels have changed. */
	async function refresh() {
		try {
			const directory = await loadDirectory(api);
			store.update(state => ({...state, ...directory}));
		} catch {
			// The next poll will fail too, and show it.
		}
	}

	function markRead() {
		const {openPlace, unread, isLoaded} = store.get();
		if (!isLoaded || !openPlace || document.visibilityState !== 'visible') {
			return;
		}

		const keys = unreadKeys(store.get(), openPlace);
		for (const key of keys) {
			marks.mark(key, Math.max(...unread.get(key)));
		}

		store.update(state => ({
			...state,
			unread: new Map([...state.unread].filter(([key]) => !keys.includes(key))),
		}));
	}

	function onConnection(connection) {
		const {connection: before, openPlace, conversations} = store.get();
		store.update(state => ({...state, connection}));
		const isBack = before === 'reconnecting' && connection === 'connected';
		if (isBack && openPlace && conversations.get(keyOf(openPlace))?.error) {
			fetchPage(openPlace);
		}
	}

	async function fetchPage(place, {before} = /** @type {{before?: number}} */ ({})) {
		const key = keyOf(place);
		store.update(state => changeConversation(state, key, {isLoading: true, error: undefined}));
		try {
			const page = await api.get('messages', {
				narrow: narrowOf(place),
				anchor: before ?? 'newest',
				include_anchor: before === undefined,
				num_before: PAGE_SIZE,
				num_after: 0,
				allow_empty_topic_name: true,
			});
			store.update(state => addPage(state, key, {messages: page.messages, hasOlder: !page.found_oldest}));
		} catch (error) {
			store.update(state => changeConversation(state, key, {isLoading: false, error: error.message}));
		}
	}

	document.addEventListener('visibilitychange', markRead, {signal: end.signal});

	return {
		store,
		...createSender({api, store, queueId: () => queueId}),
		start() {
			listen({api, open, onEvents, onConnection, onSignedOut, signal: end.signal});
		},
		visit(place) {
			store.update(state => ({...state, openPlace: place}));
			markRead();
			if (place && !store.get().conversations.has(keyOf(place))) {
				fetchPage(place);
			}
		},
		fetchAgain: place => fetchPage(place),
		fetchOlder: place => fetchPage(place, {before: store.get().conversations.get(keyOf(place))?.messages[0]?.id}),
		/** Deletes the event queue. Works while the page is closing. */
		leave() {
			if (queueId) {
				api.delete('events', {queue_id: queueId}, {keepalive: true}).catch(() => {});
			}
		},
		stop() {
			end.abort();
			this.leave();
		},
	};
}
