// One conversation: header, messages and compose box.

import {html} from 'htm/preact';
import {channelName, placeName, topicName} from '../chat/names.js';
import {hashOf} from '../chat/places.js';
import {Compose} from '../compose/compose.js';
import {Conversation} from './conversation.js';
import {TypingLine} from './typing-line.js';

const titles = {direct: DirectTitle, channel: ChannelTitle, topic: ChannelTitle, search: SearchTitle};

export function Place({state, chat, place}) {
	return html`
		<header class="place"><${titles[place.kind]} ...${{state, place}} /></header>
		<${Conversation} ...${{state, chat, place}} />
		${place.kind !== 'search' && html`<${TypingLine} ...${{state, place}} />`}
		${place.kind !== 'search' && html`<${Compose} ...${{state, chat, place}} />`}
	`;
}

function DirectTitle({state, place}) {
	const isWithBot = place.userIds.some(id => state.users.get(id)?.is_bot);
	return html`
		<h2 dir="auto">${placeName(state, place)} ${isWithBot && html`<span class="badge">bot</span>`}</h2>
		<p class="about">Direct messages</p>
	`;
}

function SearchTitle({place}) {
	return html`<h2>Messages with <q dir="auto">${place.query}</q></h2>`;
}

function ChannelTitle({state, place}) {
	const channel = {kind: 'channel', channelId: place.channelId};
	const {description} = state.channels.find(({stream_id: id}) => id === place.channelId);
	const name = `#${channelName(state, place.channelId)}`;

	if (place.kind === 'channel') {
		return html`<h2 dir="auto">${name}</h2><p class="about" dir="auto">${description}</p>`;
	}

	return html`
		<h2><a href=${hashOf(channel, state.channels)} dir="auto">${name}</a> <span aria-hidden="true">›</span> <bdi>${topicName(place.topic)}</bdi></h2>
		<p class="about" dir="auto">${description}</p>
	`;
}
