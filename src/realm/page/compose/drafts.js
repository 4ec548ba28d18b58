// Unsent text. This tab keeps it at once, and the realm stores it when the person pauses or goes elsewhere.

import {useEffect, useRef, useState} from 'preact/hooks';
import {placeOfDraft} from '../chat/later.js';
import {keyOf} from '../chat/places.js';

const PAUSE_MS = 2000;

/** @param target where the text would be sent */
export function useDraft({state, chat, place, target}) {
	const owner = state.me.email;
	const key = keyOf(place);
	const [text, setText] = useState(() => readDraft(owner, key) ?? storedText(state, target));
	const latest = useRef({text, target, stored: text});
	const timer = useRef(/** @type {any} */ (undefined));
	latest.current = {...latest.current, text, target};

	function store() {
		clearTimeout(timer.current);
		const {text: now, target: where, stored} = latest.current;
		if (now !== stored) {
			latest.current.stored = now;
			chat.saveDraft(where, now);
		}
	}

	function keep(next) {
		latest.current.text = next;
		setText(next);
		writeDraft(owner, key, next);
		clearTimeout(timer.current);
		if (next === '') {
			store();
		} else {
			timer.current = setTimeout(store, PAUSE_MS);
		}
	}

	useEffect(() => store, []);

	return {text, keep};
}

function storedText(state, target) {
	return state.drafts.find(draft => keyOf(placeOfDraft(draft, state.me)) === keyOf(target))?.content ?? '';
}

function readDraft(owner, key) {
	return sessionStorage.getItem(name(owner, key));
}

/** Puts a text into the box of a place that is opened next. */
export function writeDraft(owner, key, text) {
	if (text === '') {
		sessionStorage.removeItem(name(owner, key));
	} else {
		sessionStorage.setItem(name(owner, key), text);
	}
}

function name(owner, key) {
	return `bothy-draft:${owner}:${key}`;
}
