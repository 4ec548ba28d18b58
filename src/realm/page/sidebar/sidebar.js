// The sidebar: channels with their topics, bots, people, group conversations.

import {html} from 'htm/preact';
import {useState} from 'preact/hooks';
import {others, placeName, topicName} from '../chat/names.js';
import {directPlace, hashOf, keyOf} from '../chat/places.js';
import {countUnread} from '../chat/state.js';
import {Avatar} from '../frame/avatar.js';

const FEW_TOPICS = 5;

export function Sidebar({state}) {
	const bots = others(state, {isBot: true});
	const people = [...others(state, {isBot: false}), state.me];
	const groups = [...state.directs.values()].filter(({place}) => place.userIds.length > 1);

	return html`
		<nav id="sidebar" class="sidebar" aria-label="Conversations">
			<${Section} title="Channels">
				${state.channels.map(channel => html`<${Channel} key=${channel.stream_id} ...${{state, channel}} />`)}
			<//>
			<${Section} title="Bots">
				${bots.map(user => html`<${Person} key=${user.user_id} ...${{state, user}} />`)}
				${bots.length === 0 && html`<li class="empty">No bots yet</li>`}
			<//>
			${groups.length > 0 && html`<${Groups} ...${{state, groups}} />`}
			<${Section} title="People">
				${people.map(user => html`<${Person} key=${user.user_id} ...${{state, user}} />`)}
			<//>
		</nav>
	`;
}

function Section({title, children}) {
	return html`<section><h2>${title}</h2><ul>${children}</ul></section>`;
}

function Groups({state, groups}) {
	const latestFirst = groups.toSorted((a, b) => b.lastId - a.lastId);
	return html`
		<${Section} title="Groups">
			${latestFirst.map(
				({place}) =>
					html`<li key=${keyOf(place)}><${Go} ...${{state, place}}><span class="name">${placeName(state, place)}</span><//></li>`,
			)}
		<//>
	`;
}

function Channel({state, channel}) {
	const [showsAll, setShowsAll] = useState(false);
	const place = {kind: 'channel', channelId: channel.stream_id};
	const topics = state.topics.get(channel.stream_id) ?? [];
	const shown = showsAll ? topics : topics.slice(0, FEW_TOPICS);
	const more = topics.length - FEW_TOPICS;

	return html`
		<li>
			<${Go} ...${{state, place}}>
				<span class="mark" aria-hidden="true">#</span>
				<span class="name">${channel.name}</span>
				${channel.invite_only && html`<span class="badge">private</span>`}
			<//>
			<ul class="topics">
				${shown.map(
					({name}) => html`<li key=${name}><${Go} ...${{state, place: {...place, kind: 'topic', topic: name}}}>
					<span class="name">${topicName(name)}</span>
				<//></li>`,
				)}
				${
					more > 0 &&
					html`<li><button type="button" class="more" aria-expanded=${showsAll} onClick=${() => setShowsAll(!showsAll)}>
						${showsAll ? 'Fewer topics' : `${more} more`}
					</button></li>`
				}
			</ul>
		</li>
	`;
}

function Person({state, user}) {
	const place = directPlace([user.user_id], state.me.user_id);
	return html`
		<li>
			<${Go} ...${{state, place}}>
				<${Avatar} id=${user.user_id} name=${user.full_name} isBot=${user.is_bot} />
				<span class="name">${placeName(state, place)}</span>
			<//>
		</li>
	`;
}

/** A link to a place, with its number of unread messages. */
function Go({state, place, children}) {
	const isHere = state.openPlace && keyOf(place) === keyOf(state.openPlace);
	const unread = countUnread(state, place);
	return html`
		<a class="go" href=${hashOf(place, state.channels)} aria-current=${isHere ? 'page' : undefined}>
			${children}
			${unread > 0 && html`<span class="count">${unread}<span class="unseen"> unread</span></span>`}
		</a>
	`;
}
