// The sidebar: channels with their topics, bots, people, group conversations.

import {html} from 'htm/preact';
import {useState} from 'preact/hooks';
import {others, placeName, topicName} from '../chat/names.js';
import {directPlace, hashOf, keyOf} from '../chat/places.js';
import {countUnread} from '../chat/state.js';
import {Avatar} from '../frame/avatar.js';
import {Icon} from '../frame/icons.js';

const FEW_TOPICS = 5;

export function Sidebar({state, onGroup, onLater}) {
	const bots = others(state, {isBot: true});
	const people = [...others(state, {isBot: false}), state.me];
	const waiting = state.drafts.length + state.scheduled.length;
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
			<${Section} title="People">
				${people.map(user => html`<${Person} key=${user.user_id} ...${{state, user}} />`)}
			<//>
			<${Groups} ...${{state, groups, onGroup}} />
			<button type="button" class="waiting" onClick=${onLater}>
				<${Icon} name="clock" /> Drafts and scheduled
				${waiting > 0 && html`<span class="badge">${waiting}</span>`}
			</button>
		</nav>
	`;
}

function Section({title, children}) {
	return html`<section><h2>${title}</h2><ul>${children}</ul></section>`;
}

function Groups({state, groups, onGroup}) {
	const latestFirst = groups.toSorted((a, b) => b.lastId - a.lastId);
	return html`
		<${Section} title="Groups">
			${latestFirst.map(
				({place}) =>
					html`<li key=${keyOf(place)}><${Go} ...${{state, place}}><span class="name" dir="auto">${placeName(state, place)}</span><//></li>`,
			)}
			<li><button type="button" class="more" onClick=${onGroup}><${Icon} name="plus" /> New group</button></li>
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
				<span class="name" dir="auto">${channel.name}</span>
				${channel.invite_only && html`<span class="badge">private</span>`}
			<//>
			<ul class="topics">
				${shown.map(
					({name}) => html`<li key=${name}><${Go} ...${{state, place: {...place, kind: 'topic', topic: name}}}>
					<span class="name" dir="auto">${topicName(name)}</span>
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
	const status = state.statuses.get(user.user_id)?.status_text;
	return html`
		<li>
			<${Go} ...${{state, place}}>
				<${Avatar} id=${user.user_id} name=${user.full_name} isBot=${user.is_bot} />
				<span class="name" dir="auto">${placeName(state, place)}</span>
				${state.present.has(user.user_id) && html`<span class="present" role="img" aria-label="active"></span>`}
				${status && html`<span class="status" dir="auto" title=${status}>${status}</span>`}
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
