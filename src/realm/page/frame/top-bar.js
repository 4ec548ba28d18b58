// The bar on top: the realm, the way to everything, and the person.

import {html} from 'htm/preact';
import {countAllUnread} from '../chat/state.js';
import {Avatar} from './avatar.js';
import {Icon} from './icons.js';

export function TopBar({state, credentials, showsSidebar, onToggle, onJump, onSwitchPerson}) {
	const name = state.me?.full_name ?? credentials.email;
	const unread = countAllUnread(state);

	return html`
		<header class="top-bar">
			<button type="button" class="toggle" aria-expanded=${showsSidebar} aria-controls="sidebar" onClick=${onToggle}>
				<${Icon} name="menu" /><span class="unseen">Conversations</span>
				${unread > 0 && html`<span class="count">${unread}<span class="unseen"> unread</span></span>`}
			</button>
			<h1><${Icon} name="house" /> <span dir="auto">${state.realmName || 'Bothy realm'}</span></h1>
			<span class="badge dev" title="A development realm on this machine: demo accounts, no passwords">development realm</span>
			<button type="button" class="jump" disabled=${!state.isLoaded} onClick=${onJump}>
				<${Icon} name="search" /> <span class="label">Jump or search</span> <kbd>Ctrl K</kbd>
			</button>
			<span class="who">
				<${Avatar} id=${state.me?.user_id ?? 0} name=${name} />
				<span class="name" dir="auto">${name}</span>
				<button type="button" onClick=${onSwitchPerson}><${Icon} name="switch" /> <span class="label">Switch person</span></button>
			</span>
		</header>
	`;
}
