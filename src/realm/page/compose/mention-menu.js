// The list of names above the compose box after `@`.

import {html} from 'htm/preact';
import {useState} from 'preact/hooks';
import {Avatar} from '../frame/avatar.js';
import {completeMention, findMention, offersFor} from './mention.js';

/** @param onComplete gets the new text and where the caret goes */
export function useMentions({box, people, onComplete}) {
	const [found, setFound] = useState(/** @type {ReturnType<typeof findMention>} */ (undefined));
	const [chosen, setChosen] = useState(0);
	const offers = found ? offersFor(found.query, people) : [];
	const isOpen = offers.length > 0;

	function look() {
		const {value, selectionStart, selectionEnd} = box.current;
		const next = selectionStart === selectionEnd ? findMention(value, selectionStart) : undefined;
		if (next?.start !== found?.start || next?.query !== found?.query) {
			setFound(next);
			setChosen(0);
		}
	}

	function pick(user) {
		if (!found) {
			return;
		}

		const {value: text, selectionStart: caret} = box.current;
		const next = completeMention({text, caret, start: found.start, user, users: people});
		setFound(undefined);
		onComplete(next.text, next.caret);
	}

	const actions = {
		ArrowDown: () => setChosen((chosen + 1) % offers.length),
		ArrowUp: () => setChosen((chosen + offers.length - 1) % offers.length),
		Enter: () => pick(offers[chosen]),
		Tab: () => pick(offers[chosen]),
		Escape: () => setFound(undefined),
	};

	/** @returns whether the key was meant for the list */
	function onKeyDown(event) {
		const act = isOpen && !event.shiftKey && !event.isComposing && actions[event.key];
		if (!act) {
			return false;
		}

		event.preventDefault();
		act();
		return true;
	}

	/** The caret may have left the name. */
	function onKeyUp({key}) {
		if (['ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(key)) {
			look();
		}
	}

	const boxAttributes = {
		'aria-autocomplete': 'list',
		'aria-controls': isOpen ? 'mentions' : undefined,
		'aria-activedescendant': isOpen ? `mention-${offers[chosen].user_id}` : undefined,
	};
	return {offers, chosen, look, pick, onKeyDown, onKeyUp, boxAttributes, close: () => setFound(undefined)};
}

export function MentionMenu({offers, chosen, pick}) {
	if (offers.length === 0) {
		return null;
	}

	// A mouse press would take the focus from the box.
	return html`
		<ul id="mentions" class="mentions" role="listbox" aria-label="Names" onMouseDown=${event => event.preventDefault()}>
			${offers.map(
				(user, index) => html`
				<li key=${user.user_id} id=${`mention-${user.user_id}`} role="option" aria-selected=${index === chosen} onClick=${() => pick(user)}>
					<${Avatar} id=${user.user_id} name=${user.full_name} isBot=${user.is_bot} />
					<span class="name" dir="auto">${user.full_name}</span>
					${user.is_bot && html`<span class="badge">bot</span>`}
				</li>`,
			)}
		</ul>
	`;
}
