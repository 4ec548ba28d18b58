// Who types in this place.

import {html} from 'htm/preact';
import {keyOf} from '../chat/places.js';

export function TypingLine({state, place}) {
	const names = (state.typing.get(keyOf(place)) ?? []).map(id => state.users.get(id)?.full_name ?? 'Somebody');
	return html`<p class="typing" aria-live="polite"><bdi>${textOf(names)}</bdi></p>`;
}

function textOf(names) {
	if (names.length === 0) {
		return '';
	}

	return names.length > 3
		? 'Several people are typing…'
		: `${list(names)} ${names.length === 1 ? 'is' : 'are'} typing…`;
}

function list(names) {
	return new Intl.ListFormat('en', {type: 'conjunction'}).format(names);
}
