// A second person beside the first: the same page in a frame, with a session of its own.

import {html} from 'htm/preact';
import {useMemo, useState} from 'preact/hooks';
import {playground, useKnown} from './follow.js';

const isFrame = window.top !== window;

/** Chooses the second person. Not shown in the frame of one. */
export function OpenBeside({state}) {
	const others = [...state.users.values()].filter(
		user => !user.is_bot && user.is_active && user.user_id !== state.me.user_id,
	);
	const bob = others.find(({full_name: name}) => name.startsWith('Bob')) ?? others[0];
	const [chosen, setChosen] = useState(bob?.user_id);
	const person = others.find(({user_id: id}) => id === chosen);
	const isOpen = useKnown(({beside}) => beside !== undefined);
	if (isFrame || !person) {
		return null;
	}

	const open = beside => playground.update(known => ({...known, beside}));
	return html`
		<footer class="acts">
			<select aria-label="Second person" value=${chosen} onChange=${event => setChosen(Number(event.target.value))}>
				${others.map(({user_id: id, full_name: name}) => html`<option key=${id} value=${id}>${name}</option>`)}
			</select>
			<button type="button" onClick=${() => open(person)}>Open as ${person.full_name.split(' ')[0]} beside</button>
			${isOpen && html`<button type="button" onClick=${() => open(undefined)}>Close</button>`}
		</footer>
	`;
}

/** Opens at the same channel. After that, each person goes where they want. */
export function Beside({person: {full_name: name, delivery_email: own, email}}) {
	const hash = useMemo(() => (location.hash.startsWith('#channel/') ? location.hash : ''), []);
	return html`<iframe class="beside" title=${`The page as ${name}`} src=${`/?as=${encodeURIComponent(own ?? email)}${hash}`} />`;
}
