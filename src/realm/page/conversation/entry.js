// A message with what stands above it: a new day, a new topic.

import {html} from 'htm/preact';
import {placeName, topicName} from '../chat/names.js';
import {hashOf, hashOfMessage, keyOf, placeOf} from '../chat/places.js';
import {Message} from './message.js';

/** Messages of one sender within this time have one heading. */
const GROUP_SECONDS = 600;

export function Entry({state, chat, place, message, before, isActive, isNear}) {
	const {user_id: myId} = state.me;
	const isNewDay = !before || dayKey(before) !== dayKey(message);
	const own = placeOf(message, myId);
	const isMixed = place.kind === 'channel' || place.kind === 'search';
	const isNewPlace = isMixed && (!before || keyOf(placeOf(before, myId)) !== keyOf(own));
	const isFollowing =
		!isNewDay &&
		!isNewPlace &&
		before.sender_id === message.sender_id &&
		message.timestamp - before.timestamp < GROUP_SECONDS;

	return html`
		${isNewDay && html`<h3 class="day"><span>${dayOf(message)}</span></h3>`}
		${isNewPlace && html`<${PlaceLine} ...${{state, place, own, message}} />`}
		<${Message} ...${{state, chat, message, isFollowing, isActive, isNear}} />
	`;
}

/** Where the messages below were said. From the results of a search, it leads to the message. */
function PlaceLine({state, place, own, message}) {
	if (place.kind === 'search') {
		return html`<p class="topic-line"><a href=${hashOfMessage(message, state)} dir="auto">${placeName(state, own)}</a></p>`;
	}

	return html`<p class="topic-line"><a href=${hashOf(own, state.channels)} dir="auto">${topicName(own.topic)}</a></p>`;
}

function dayKey({timestamp}) {
	return new Date(timestamp * 1000).toDateString();
}

function dayOf({timestamp}) {
	const date = new Date(timestamp * 1000);
	const today = new Date();
	const isToday = date.toDateString() === today.toDateString();
	const year = date.getFullYear() === today.getFullYear() ? undefined : 'numeric';
	return isToday ? 'Today' : date.toLocaleDateString(undefined, {weekday: 'long', day: 'numeric', month: 'long', year});
}
