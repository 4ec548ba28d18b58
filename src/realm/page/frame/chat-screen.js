// The chat of one person: sidebar, header and the current conversation.

import {html} from 'htm/preact';
import {useEffect, useMemo, useState} from 'preact/hooks';
import {createChat} from '../chat/chat.js';
import {placeName} from '../chat/names.js';
import {hashOf, keyOf, placeFromHash} from '../chat/places.js';
import {countAllUnread} from '../chat/state.js';
import {useStore} from '../chat/store.js';
import {Place} from '../conversation/place.js';
import {Playground} from '../playground/playground.js';
import {createApi} from '../realm/api.js';
import {Sidebar} from '../sidebar/sidebar.js';
import {Avatar} from './avatar.js';
import {Icon} from './icons.js';

const STALE_KEY = 'The realm does not know this sign-in any more. Choose again.';

export function ChatScreen({credentials, onSignOut}) {
	const chat = useMemo(() => createChat({api: createApi(credentials), onSignedOut: () => onSignOut(STALE_KEY)}), []);
	const state = useStore(chat.store);
	const place = usePlace(state);
	const [showsSidebar, setShowsSidebar] = useState(false);

	useEffect(() => {
		chat.start();
		window.addEventListener('pagehide', chat.leave);
		return () => {
			window.removeEventListener('pagehide', chat.leave);
			chat.stop();
		};
	}, []);

	useEffect(() => {
		setShowsSidebar(false);
		chat.visit(place);
	}, [place && keyOf(place)]);

	useTitle(state, place);

	return html`
		<div class=${`chat${showsSidebar ? ' shows-sidebar' : ''}`}>
			<${TopBar} ...${{state, credentials, onSignOut, showsSidebar, onToggle: () => setShowsSidebar(!showsSidebar)}} />
			${state.connection === 'reconnecting' && html`<p class="connection" role="status">Connection lost. Reconnecting…</p>`}
			${state.isLoaded ? html`<${Sidebar} state=${state} />` : html`<div class="sidebar"></div>`}
			<main>
				${!state.isLoaded && html`<p class="quiet">Loading…</p>`}
				${state.isLoaded && place && html`<${Place} key=${keyOf(place)} ...${{state, chat, place}} />`}
				${state.isLoaded && !place && html`<p class="quiet">There is no such conversation here. Choose one from the list.</p>`}
			</main>
			${state.isLoaded && html`<${Playground} ...${{state, chat, place}} />`}
			<p class="unseen" aria-live="polite">${state.announcement}</p>
		</div>
	`;
}

function TopBar({state, credentials, onSignOut, showsSidebar, onToggle}) {
	const name = state.me?.full_name ?? credentials.email;
	const unread = countAllUnread(state);

	function switchPerson() {
		history.pushState(null, '', '/');
		onSignOut();
	}

	return html`
		<header class="top-bar">
			<button type="button" class="toggle" aria-expanded=${showsSidebar} aria-controls="sidebar" onClick=${onToggle}>
				<${Icon} name="menu" /><span class="unseen">Conversations</span>
				${unread > 0 && html`<span class="count">${unread}<span class="unseen"> unread</span></span>`}
			</button>
			<h1><${Icon} name="house" /> ${state.realmName || 'Bothy realm'}</h1>
			<span class="badge dev" title="A development realm on this machine: demo accounts, no passwords">development realm</span>
			<span class="who">
				<${Avatar} id=${state.me?.user_id ?? 0} name=${name} />
				<span class="name">${name}</span>
				<button type="button" onClick=${switchPerson}><${Icon} name="switch" /> <span class="label">Switch person</span></button>
			</span>
		</header>
	`;
}

/** The place in the address, or else the first channel. */
function usePlace(state) {
	const [hash, setHash] = useState(location.hash);
	useEffect(() => {
		const look = () => setHash(location.hash);
		window.addEventListener('hashchange', look);
		return () => window.removeEventListener('hashchange', look);
	}, []);

	const isNowhere = state.isLoaded && hash.length <= 1;
	useEffect(() => {
		const home = state.channels.find(channel => channel.name === 'general') ?? state.channels[0];
		if (isNowhere && home) {
			location.replace(hashOf({kind: 'channel', channelId: home.stream_id}, state.channels));
		}
	}, [isNowhere]);

	return state.isLoaded ? placeFromHash(hash, state) : undefined;
}

function useTitle(state, place) {
	const unread = countAllUnread(state);
	useEffect(() => {
		const where = place ? placeName(state, place) : 'Bothy';
		document.title = `${unread > 0 ? `(${unread}) ` : ''}${where} · Bothy realm`;
	});
}
