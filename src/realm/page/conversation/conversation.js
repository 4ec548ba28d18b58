// The messages of one place, grouped by day, topic and sender. Shows the newest.

import {html} from 'htm/preact';
import {useLayoutEffect, useRef, useState} from 'preact/hooks';
import {topicName} from '../chat/names.js';
import {hashOf, keyOf, placeOf} from '../chat/places.js';
import {Icon} from '../frame/icons.js';
import {Message, PendingMessage} from './message.js';

/** Messages of one sender within this time have one heading. */
const GROUP_SECONDS = 600;
const NEAR_END_PX = 60;

export function Conversation({state, chat, place}) {
	const key = keyOf(place);
	const {messages = [], hasOlder, isLoading, error} = state.conversations.get(key) ?? {isLoading: true};
	const pending = state.pending.filter(one => keyOf(one.place) === key);
	const {ref, onScroll, isAtEnd, goToEnd} = useScroll({messages, pending});

	return html`
		<div class="scroller">
			<div class="messages" ref=${ref} onScroll=${onScroll} tabindex="0" role="region" aria-label="Messages" aria-busy=${isLoading}>
				${hasOlder && html`<button type="button" class="older" disabled=${isLoading} onClick=${() => chat.fetchOlder(place)}>Show older messages</button>`}
				${isLoading && messages.length === 0 && html`<p class="quiet">Loading…</p>`}
				${
					error &&
					html`<p class="error" role="alert">
						${error} <button type="button" onClick=${() => chat.fetchAgain(place)}>Try again</button>
					</p>`
				}
				${!isLoading && !error && messages.length + pending.length === 0 && html`<p class="quiet">Nothing has been said here yet.</p>`}
				${messages.map((message, index) => html`<${Entry} key=${message.id} ...${{state, chat, place, message, before: messages[index - 1]}} />`)}
				${pending.map(message => html`<${PendingMessage} key=${message.localId} ...${{state, chat, message}} />`)}
			</div>
			${!isAtEnd && html`<button type="button" class="to-end" onClick=${goToEnd}><${Icon} name="down" /> Newest</button>`}
		</div>
	`;
}

function Entry({state, chat, place, message, before}) {
	const isNewDay = !before || dayOf(before) !== dayOf(message);
	const topic = placeOf(message, state.me.user_id);
	const isNewTopic = place.kind === 'channel' && (!before || keyOf(placeOf(before, state.me.user_id)) !== keyOf(topic));
	const isFollowing =
		!isNewDay &&
		!isNewTopic &&
		before.sender_id === message.sender_id &&
		message.timestamp - before.timestamp < GROUP_SECONDS;

	return html`
		${isNewDay && html`<h3 class="day"><span>${dayOf(message)}</span></h3>`}
		${isNewTopic && html`<p class="topic-line"><a href=${hashOf(topic, state.channels)}>${topicName(topic.topic)}</a></p>`}
		<${Message} ...${{state, chat, message, isFollowing}} />
	`;
}

function dayOf({timestamp}) {
	const date = new Date(timestamp * 1000);
	const today = new Date();
	const isToday = date.toDateString() === today.toDateString();
	const year = date.getFullYear() === today.getFullYear() ? undefined : 'numeric';
	return isToday ? 'Today' : date.toLocaleDateString(undefined, {weekday: 'long', day: 'numeric', month: 'long', year});
}

/** Scrolls to the end if the reader is there or writes. Keeps the position if older messages are added above. */
function useScroll({messages, pending}) {
	const ref = useRef(null);
	const last = useRef({isAtEnd: true, firstId: undefined, height: 0, sent: 0});
	const [isAtEnd, setIsAtEnd] = useState(true);
	const firstId = messages[0]?.id;

	function goToEnd() {
		ref.current.scrollTop = ref.current.scrollHeight;
	}

	function onScroll() {
		const {scrollTop, scrollHeight, clientHeight} = ref.current;
		last.current.isAtEnd = scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
		setIsAtEnd(last.current.isAtEnd);
	}

	useLayoutEffect(() => {
		const before = last.current;
		if (before.isAtEnd || pending.length > before.sent) {
			goToEnd();
		} else if (before.firstId !== firstId) {
			ref.current.scrollTop += ref.current.scrollHeight - before.height;
		}

		last.current = {...last.current, firstId, height: ref.current.scrollHeight, sent: pending.length};
	}, [messages.length, pending.length, firstId]);

	// The compose box changes its height.
	useLayoutEffect(() => {
		const observer = new ResizeObserver(() => last.current.isAtEnd && goToEnd());
		observer.observe(ref.current);
		return () => observer.disconnect();
	}, []);

	return {ref, onScroll, isAtEnd, goToEnd};
}
