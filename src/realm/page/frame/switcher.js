// Ctrl+K: jump to a person, a channel or a topic, start a group conversation, or search the messages.

import {html} from 'htm/preact';
import {useEffect, useRef, useState} from 'preact/hooks';
import {others, personName, placeName} from '../chat/names.js';
import {directPlace, hashOf, keyOf} from '../chat/places.js';
import {Icon} from './icons.js';

const MOST_OFFERS = 8;

/** @param group IDs of the people of a group that is being put together; undefined: jump to one place */
export function Switcher({state, isGroup, onClose}) {
	const dialog = useRef(/** @type {any} */ (null));
	const field = useRef(/** @type {any} */ (null));
	const [query, setQuery] = useState('');
	const [chosen, setChosen] = useState(0);
	const [group, setGroup] = useState(/** @type {number[]} */ ([]));
	const offers = isGroup ? peopleFor(state, query, group) : placesFor(state, query);
	const at = Math.min(chosen, offers.length - 1);

	useEffect(() => dialog.current.showModal(), []);

	function go(place) {
		onClose();
		location.hash = hashOf(place, state.channels);
	}

	function pick(offer) {
		if (!isGroup) {
			go(offer.place);
			return;
		}

		setGroup([...group, offer.place.userIds[0]]);
		setQuery('');
		setChosen(0);
		field.current.focus();
	}

	const actions = {
		ArrowDown: () => setChosen((at + 1) % offers.length),
		ArrowUp: () => setChosen((at + offers.length - 1) % offers.length),
		Enter: () => (isGroup && query === '' ? start() : pick(offers[at])),
	};

	function start() {
		if (group.length > 0) {
			go(directPlace(group, state.me.user_id));
		}
	}

	function onKeyDown(event) {
		if (actions[event.key] && !event.isComposing && (offers.length > 0 || event.key === 'Enter')) {
			event.preventDefault();
			if (offers.length > 0 || (isGroup && query === '')) {
				actions[event.key]();
			}
		} else if (event.key === 'Backspace' && query === '') {
			setGroup(group.slice(0, -1));
		}
	}

	function onInput(event) {
		setQuery(event.target.value);
		setChosen(0);
	}

	const label = isGroup ? 'People of the new group' : 'Jump to a person, channel or topic, or search';
	return html`
		<dialog class="switcher" ref=${dialog} onClose=${onClose} aria-label=${label}>
			${
				group.length > 0 &&
				html`<p class="chosen">
					${group.map(
						id =>
							html`<button type="button" key=${id} onClick=${() => setGroup(group.filter(one => one !== id))}>
								<bdi>${personName(state, id)}</bdi> <${Icon} name="close" /><span class="unseen">, remove</span>
							</button>`,
					)}
				</p>`
			}
			<input ref=${field} autofocus role="combobox" aria-expanded="true" aria-controls="offers" aria-label=${label} dir="auto"
				aria-activedescendant=${offers.length > 0 ? `offer-${at}` : undefined} autocomplete="off" maxlength="200"
				placeholder=${isGroup ? 'Add people' : 'Jump to…'} value=${query} onInput=${onInput} onKeyDown=${onKeyDown} />
			<ul id="offers" role="listbox" aria-label="Places">
				${offers.map(
					({place, label: text, kind}, index) =>
						html`<li key=${keyOf(place)} id=${`offer-${index}`} role="option" aria-selected=${index === at} onClick=${() => pick({place})}>
							<bdi class="name">${text}</bdi> <span class="badge">${kind}</span>
						</li>`,
				)}
			</ul>
			${isGroup && html`<button type="button" class="primary" disabled=${group.length === 0} onClick=${start}>Start the conversation</button>`}
		</dialog>
	`;
}

function placesFor(state, query) {
	const {user_id: myId} = state.me;
	const people = everybody(state).map(user => ({
		place: directPlace([user.user_id], myId),
		label: user.full_name,
		kind: user.is_bot ? 'bot' : 'person',
	}));
	const channels = state.channels.map(({stream_id: channelId, name}) => ({
		place: {kind: 'channel', channelId},
		label: `#${name}`,
		kind: 'channel',
	}));
	const topics = [...state.topics].flatMap(([channelId, list]) =>
		list.map(({name}) => ({kind: 'topic', channelId, topic: name})),
	);
	const groups = [...state.directs.values()].map(({place}) => place).filter(({userIds}) => userIds.length > 1);
	const named = kind => place => ({place, label: placeName(state, place), kind});
	const found = [...people, ...channels, ...topics.map(named('topic')), ...groups.map(named('group'))]
		.filter(({label}) => matches(label, query))
		.slice(0, MOST_OFFERS);
	const search = {
		place: {kind: 'search', query: query.trim()},
		label: `Search messages for “${query.trim()}”`,
		kind: 'search',
	};
	return query.trim() === '' ? found : [...found, search];
}

function peopleFor(state, query, chosen) {
	return everybody(state)
		.filter(({user_id: id, full_name: name}) => !chosen.includes(id) && matches(name, query))
		.slice(0, MOST_OFFERS)
		.map(user => ({
			place: directPlace([user.user_id], state.me.user_id),
			label: user.full_name,
			kind: user.is_bot ? 'bot' : 'person',
		}));
}

function everybody(state) {
	return [...others(state, {isBot: true}), ...others(state, {isBot: false})];
}

/** Each word of the query starts a word of the label. */
function matches(label, query) {
	const words = label.toLowerCase().split(/[\s#›-]+/);
	return query
		.toLowerCase()
		.split(/[\s#]+/)
		.every(sought => words.some(word => word.startsWith(sought)));
}
