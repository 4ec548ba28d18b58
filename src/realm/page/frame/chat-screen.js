// The chat of one person: sidebar, header and the current conversation.

import {html} from 'htm/preact';
import {useEffect, useMemo, useState} from 'preact/hooks';
import {createChat} from '../chat/chat.js';
import {placeName} from '../chat/names.js';
import {hashForOthers, hashOf, keyOf, nearFromHash, placeFromHash} from '../chat/places.js';
import {countAllUnread} from '../chat/state.js';
import {useStore} from '../chat/store.js';
import {Place} from '../conversation/place.js';
import {Playground} from '../playground/playground.js';
import {createApi} from '../realm/api.js';
import {Sidebar} from '../sidebar/sidebar.js';
import {Later} from './later.js';
import {Switcher} from './switcher.js';
import {TopBar} from './top-bar.js';

const STALE_KEY = 'You are no longer signed in. Choose a person again.';

export function ChatScreen({credentials, onSignOut}) {
	const chat = useMemo(() => createChat({api: createApi(credentials), onSignedOut: () => onSignOut(STALE_KEY)}), []);
	const state = useStore(chat.store);
	const {place, nearId} = usePlace(state);
	const [showsSidebar, setShowsSidebar] = useState(false);
	// The conversation comes first. What is around it would delay it, and block the page for longer.
	const [showsRest, setShowsRest] = useState(false);
	// `jump`, `group` or `later`
	const [dialog, setDialog] = useState('');

	useEffect(() => {
		chat.start();
		window.addEventListener('pagehide', chat.leave);
		return () => {
			window.removeEventListener('pagehide', chat.leave);
			chat.stop();
		};
	}, []);

	useEffect(() => setShowsRest(state.isLoaded), [state.isLoaded]);

	useEffect(() => {
		setShowsSidebar(false);
		chat.visit(place, nearId);
	}, [place && keyOf(place), nearId]);

	useEffect(() => {
		const jump = event => {
			if ((event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'k') {
				event.preventDefault();
				setDialog('jump');
			}
		};
		window.addEventListener('keydown', jump);
		return () => window.removeEventListener('keydown', jump);
	}, []);

	useTitle(state, place);

	/** The next person sees the same place. */
	function switchPerson() {
		if (place) {
			history.replaceState(null, '', `/${hashForOthers(place, state)}`);
		}

		onSignOut();
	}

	const close = () => setDialog('');
	const toggle = () => setShowsSidebar(!showsSidebar);
	return html`
		<div class=${`chat${showsSidebar ? ' shows-sidebar' : ''}`}>
			<a class="skip" href="#compose" onClick=${skipTo('compose')}>Skip to the message box</a>
			<a class="skip" href="#messages" onClick=${skipTo('messages')}>Skip to the messages</a>
			<${TopBar} ...${{state, credentials, showsSidebar}} onToggle=${toggle} onJump=${() => setDialog('jump')} onSwitchPerson=${switchPerson} />
			${state.connection === 'reconnecting' && html`<p class="connection" role="status">Connection lost. Reconnecting…</p>`}
			${showsRest ? html`<${Sidebar} ...${{state}} onGroup=${() => setDialog('group')} onLater=${() => setDialog('later')} />` : html`<div class="sidebar"></div>`}
			<main>
				${!state.isLoaded && html`<p class="quiet">Loading…</p>`}
				${state.isLoaded && place && html`<${Place} key=${keyOf(place)} ...${{state, chat, place}} />`}
				${state.isLoaded && !place && html`<p class="quiet">There is no such conversation here. Choose one from the list.</p>`}
				${
					state.notice &&
					html`<p class="notice error" role="alert">
						${state.notice} <button type="button" onClick=${chat.dismiss}>Close</button>
					</p>`
				}
			</main>
			${showsRest && html`<${Playground} ...${{state, chat, place}} />`}
			${(dialog === 'jump' || dialog === 'group') && html`<${Switcher} key=${dialog} state=${state} isGroup=${dialog === 'group'} onClose=${close} />`}
			${dialog === 'later' && html`<${Later} ...${{state, chat}} onClose=${close} />`}
			<p class="unseen" aria-live="polite">${state.announcement}</p>
		</div>
	`;
}

/** The address names the place, so the link must not change it. */
function skipTo(id) {
	return event => {
		event.preventDefault();
		document.getElementById(id)?.focus();
	};
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

	return state.isLoaded ? {place: placeFromHash(hash, state), nearId: nearFromHash(hash)} : {};
}

function useTitle(state, place) {
	const unread = countAllUnread(state);
	useEffect(() => {
		const where = place ? placeName(state, place) : 'Bothy';
		document.title = `${unread > 0 ? `(${unread}) ` : ''}${where} · Bothy realm`;
	});
}
