// One conversation: header, messages and compose box.

import {html} from 'htm/preact';
import {channelName, placeName, topicName} from '../chat/names.js';
import {hashOf} from '../chat/places.js';
import {Compose} from '../compose/compose.js';
import {Conversation} from './conversation.js';

export function Place({state, chat, place}) {
	return html`
		<header class="place">${place.kind === 'direct' ? html`<${DirectTitle} ...${{state, place}} />` : html`<${ChannelTitle} ...${{state, place}} />`}</header>
		<${Conversation} ...${{state, chat, place}} />
		<${Compose} ...${{state, chat, place}} />
	`;
}

function DirectTitle({state, place}) {
	const isWithBot = place.userIds.some(id => state.users.get(id)?.is_bot);
	return html`
		<h2>${placeName(state, place)} ${isWithBot && html`<span class="badge">bot</span>`}</h2>
		<p class="about">Direct messages</p>
	`;
}

function ChannelTitle({state, place}) {
	const channel = {kind: 'channel', channelId: place.channelId};
	const {description} = state.channels.find(({stream_id: id}) => id === place.channelId);
	const name = `#${channelName(state, place.channelId)}`;

	if (place.kind === 'channel') {
		return html`<h2>${name}</h2><p class="about">${description}</p>`;
	}

	return html`
		<h2><a href=${hashOf(channel, state.channels)}>${name}</a> <span aria-hidden="true">›</span> ${topicName(place.topic)}</h2>
		<p class="about">${description}</p>
	`;
}
