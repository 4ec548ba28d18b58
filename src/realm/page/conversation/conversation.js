// The messages of one place, grouped by day, topic and sender.

import {html} from 'htm/preact';
import {useEffect, useState} from 'preact/hooks';
import {topicName} from '../chat/names.js';
import {keyOf} from '../chat/places.js';
import {Icon} from '../frame/icons.js';
import {Entry} from './entry.js';
import {PendingMessage} from './message.js';
import {useScroll} from './use-scroll.js';
import {useWindow} from './use-window.js';

export function Conversation({state, chat, place}) {
	const key = keyOf(place);
	const {messages = [], hasOlder, hasNewer, isLoading, error} = state.conversations.get(key) ?? {isLoading: true};
	const pending = state.pending.filter(one => keyOf(one.place) === key);
	const view = useWindow({chat, place, messages, hasOlder, hasNewer});
	const {shown} = view;
	const scroll = useScroll({content: [messages, view.start, shown.length], sentCount: pending.length});
	const [hoveredId, setHoveredId] = useState(undefined);
	const [focusedId, setFocusedId] = useState(undefined);

	useEffect(() => {
		// The window follows only while its reader is at the end.
		if (scroll.isAtEnd && !view.hasNewer) {
			view.follow();
		} else {
			view.hold();
		}
	}, [scroll.isAtEnd, view.hasNewer]);

	const hasNear = messages.some(({id}) => id === state.nearId);
	useEffect(() => {
		if (hasNear) {
			view.showAround(state.nearId);
		}
	}, [state.nearId, hasNear]);

	const showsNear = hasNear && shown.some(({id}) => id === state.nearId);
	useEffect(() => {
		const article = showsNear && document.getElementById(`message-${state.nearId}`);
		if (article) {
			scroll.show(article);
			article.focus({preventScroll: true});
		}
	}, [state.nearId, showsNear]);

	function goToNewest() {
		view.showNewest();
		scroll.goToEnd();
	}

	const isEmpty = !isLoading && !error && messages.length + pending.length === 0;
	return html`
		<div class="scroller">
			<div class="messages" id="messages" ref=${scroll.scroller} onScroll=${scroll.onScroll} tabindex="0" role="region" aria-label="Messages" aria-busy=${isLoading}
				onMouseOver=${event => setHoveredId(idAt(event.target))} onMouseLeave=${() => setHoveredId(undefined)}
				onFocusIn=${event => setFocusedId(idAt(event.target))} onFocusOut=${event => setFocusedId(idAt(event.relatedTarget))} onKeyDown=${moveFocus}>
				<div class="list" ref=${scroll.list}>
					${view.hasOlder && shown.length > 0 && html`<button type="button" class="older" disabled=${isLoading} onClick=${view.showOlder}>Show older messages</button>`}
					${isLoading && messages.length === 0 && html`<p class="quiet">Loading…</p>`}
					${
						error &&
						html`<p class="error" role="alert">
							${error} <button type="button" onClick=${() => chat.fetchAgain(place)}>Try again</button>
						</p>`
					}
					${isEmpty && html`<p class="quiet">${emptyText(place)}</p>`}
					${shown.map(
						(message, index) =>
							html`<${Entry} key=${message.id} ...${{state, chat, place, message, before: messages[view.start + index - 1]}}
								isActive=${message.id === hoveredId || message.id === focusedId} isNear=${message.id === state.nearId} />`,
					)}
					${view.hasNewer && html`<button type="button" class="older" disabled=${isLoading} onClick=${view.showNewer}>Show newer messages</button>`}
					${pending.map(message => html`<${PendingMessage} key=${message.localId} ...${{state, chat, message}} />`)}
				</div>
			</div>
			${(!scroll.isAtEnd || view.hasNewer) && html`<button type="button" class="to-end" onClick=${goToNewest}><${Icon} name="down" /> Newest</button>`}
		</div>
	`;
}

function emptyText(place) {
	if (place.kind === 'search') {
		return `No message contains “${place.query}”.`;
	}

	return place.kind === 'topic' ? `No messages in “${topicName(place.topic)}” yet.` : 'No messages yet.';
}

function idAt(element) {
	const id = element?.closest('.messages article')?.dataset.id;
	return id && Number(id);
}

/** The arrow keys go from message to message, Escape goes back to the compose box. */
function moveFocus(event) {
	const {target, currentTarget, key} = event;
	if (key === 'Escape' && target.matches('article')) {
		document.getElementById('compose')?.focus();
		return;
	}

	const step = {ArrowUp: -1, ArrowDown: 1}[key];
	if (!step || !(target === currentTarget || target.matches('article'))) {
		return;
	}

	const articles = [...currentTarget.querySelectorAll('article[data-id]')];
	const index = target === currentTarget ? articles.length : articles.indexOf(target);
	const next = articles[Math.min(articles.length - 1, Math.max(0, index + step))];
	if (next) {
		event.preventDefault();
		next.focus();
	}
}
