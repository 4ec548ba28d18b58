// The session of one person: loads the realm, follows its events, opens conversations. The screen only reads `store`.

import {listen} from '../realm/events.js';
import {emojiOf, loadDirectory, loadRealm, loadRecent, loadTopics} from '../realm/load-realm.js';
import {createActions} from './actions.js';
import {createLater} from './later.js';
import {createPager} from './pages.js';
import {keyOf, narrowFromHash, placeFromHash, placeOf} from './places.js';
import {readMarks} from './read-marks.js';
import {createSender} from './send.js';
import {addMessage, addUnread, emptyState, noteConversation, renewConversation, unreadKeys} from './state.js';
import {createStore} from './store.js';
import {isMove, stopTyping, takeEvent} from './take-event.js';
import {createTyping} from './typing.js';

/** Without a further notice, a person counts as typing for this long. */
const TYPING_MS = 15_000;
/** Where the chat opens if the address names no place, and if this one exists. */
const HOME = '#channel/general';
const PRESENCE_MS = 60_000;
/** Events after which people, channels or topics are fetched again. */
const DIRECTORY_EVENTS = ['realm_user', 'realm_bot', 'subscription', 'stream'];

export function createChat({api, onSignedOut}) {
	const store = createStore(emptyState);
	const end = new AbortController();
	const pager = createPager({api, store});
	const refresh = oneAtATime(reload);
	let queueId;
	let marks;

	async function open() {
		const {openPlace} = store.get();
		const hash = location.hash || HOME;
		const firstNarrow = narrowFromHash(hash);
		const loaded = await loadRealm(api, async () => firstNarrow && (await pager.fetchNewest(firstNarrow)));
		queueId = loaded.queueId;
		marks = readMarks(loaded.fields.me.email, loaded.newestId);
		store.update(state => {
			// Other conversations may have gaps now.
			const conversations = new Map([...state.conversations].filter(([key]) => openPlace && key === keyOf(openPlace)));
			const next = {...state, ...loaded.fields, conversations, typing: new Map(), isLoaded: true};
			const place = loaded.first && placeFromHash(hash, next);
			const {messages, found_oldest: isWhole} = loaded.first ?? {};
			return place ? renewConversation(next, keyOf(place), {messages, hasOlder: !isWhole}) : next;
		});
		loadRest();
		return {id: loaded.queueId, lastEventId: loaded.lastEventId};
	}

	/** What the first picture does not need. */
	async function loadRest() {
		try {
			const [topics, recent] = await Promise.all([loadTopics(api, store.get().channels), loadRecent(api)]);
			store.update(state => recent.reduce(takeRecent, {...state, topics}));
			markRead();
		} catch {
			// The next poll will fail too, and show it.
		}
	}

	/** A message may have come after the first place was read, and before the queue was there. */
	function takeRecent(state, message) {
		return addMessage(takeIn(state, message), message, undefined);
	}

	function takeIn(state, message) {
		const {user_id: myId} = state.me;
		const isRead = message.sender_id === myId || marks.isRead(keyOf(placeOf(message, myId)), message.id);
		const noted = noteConversation(state, message);
		return isRead ? noted : addUnread(noted, message);
	}

	function onEvents(events) {
		store.update(state => events.reduce(take, state));
		markRead();
		for (const event of events.filter(({type, op}) => type === 'typing' && op === 'start')) {
			expireTyping(event.sender.user_id);
		}

		if (events.some(isMove)) {
			pager.fetchAgain(store.get().openPlace);
		}

		if (events.some(event => DIRECTORY_EVENTS.includes(event.type) || isMove(event))) {
			refresh();
		}
	}

	function take(state, event) {
		if (event.type === 'realm_emoji') {
			return {...state, emoji: emojiOf(event)};
		}

		if (event.type !== 'message') {
			return takeEvent(state, event);
		}

		const message = {...event.message, flags: event.flags};
		return hear(stopTyping(takeIn(state, message), message.sender_id), message, event.local_message_id);
	}

	function hear(state, message, localId) {
		const isMine = message.sender_id === state.me.user_id;
		const text = new DOMParser().parseFromString(message.content, 'text/html').body.textContent.trim();
		const announcement = isMine ? state.announcement : `${message.sender_full_name}: ${text}`;
		return {...addMessage(state, message, localId), announcement};
	}

	const typingTimers = new Map();
	function expireTyping(userId) {
		clearTimeout(typingTimers.get(userId));
		const timer = setTimeout(() => store.update(state => stopTyping(state, userId)), TYPING_MS);
		typingTimers.set(userId, timer);
	}

	/** People, channels or topics have changed. */
	async function reload() {
		try {
			const directory = await loadDirectory(api);
			const topics = await loadTopics(api, directory.channels);
			store.update(state => ({...state, ...directory, topics}));
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
		if (keys.length === 0) {
			return;
		}

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
		if (before !== connection) {
			store.update(state => ({...state, connection}));
		}

		const isBack = before === 'reconnecting' && connection === 'connected';
		if (isBack && openPlace && conversations.get(keyOf(openPlace))?.error) {
			pager.fetchAgain(openPlace);
		}
	}

	function tellPresence() {
		if (document.visibilityState === 'visible') {
			api.post('users/me/presence', {status: 'active', ping_only: true}).catch(() => {});
		}
	}

	document.addEventListener('visibilitychange', markRead, {signal: end.signal});
	const {typing, stopTyping: stopOwnTyping} = createTyping({api});
	const actions = createActions({api, store});
	const sender = createSender({api, store, queueId: () => queueId});

	return {
		store,
		...sender,
		...pager,
		...actions,
		...createLater({api, store, attempt: actions.attempt}),
		typing,
		send(place, content) {
			stopOwnTyping();
			return sender.send(place, content);
		},
		start() {
			listen({api, open, onEvents, onConnection, onSignedOut, signal: end.signal});
			tellPresence();
			const timer = setInterval(tellPresence, PRESENCE_MS);
			end.signal.addEventListener('abort', () => clearInterval(timer));
		},
		/** @param nearId the message to show, from a link */
		visit(place, nearId) {
			store.update(state => ({...state, openPlace: place, nearId}));
			markRead();
			if (place) {
				pager.open(place, nearId);
			}
		},
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

/** While one run goes on, further calls lead to one more run after it. */
function oneAtATime(run) {
	let isRunning = false;
	let isWanted = false;
	return async function start() {
		isWanted = true;
		if (isRunning) {
			return;
		}

		isRunning = true;
		while (isWanted) {
			isWanted = false;
			await run();
		}

		isRunning = false;
	};
}
