// Changes the text of one's own message, in its place.

import {html} from 'htm/preact';
import {useEffect, useLayoutEffect, useRef, useState} from 'preact/hooks';

export function EditBox({chat, message, onDone}) {
	const box = useRef(/** @type {any} */ (null));
	const [text, setText] = useState(/** @type {any} */ (undefined));
	const [error, setError] = useState(undefined);

	useEffect(() => {
		chat.readSource(message).then(setText, failure => setError(failure.message));
	}, []);

	// At once: keys that a person presses before it has the focus would be lost.
	useLayoutEffect(() => {
		box.current?.focus();
		box.current?.setSelectionRange(text.length, text.length);
	}, [text === undefined]);

	async function save(event) {
		event.preventDefault();
		if (await chat.edit(message, box.current.value)) {
			onDone();
		}
	}

	function onKeyDown(event) {
		if (event.key === 'Escape') {
			event.stopPropagation();
			onDone();
		} else if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
			save(event);
		}
	}

	if (error) {
		return html`<p class="error" role="alert">${error} <button type="button" onClick=${onDone}>Close</button></p>`;
	}

	if (text === undefined) {
		return html`<p class="quiet">Loading…</p>`;
	}

	return html`
		<form class="edit" onSubmit=${save}>
			<textarea ref=${box} aria-label="Text of the message" dir="auto" rows=${Math.min(12, text.split('\n').length)} defaultValue=${text}
				onKeyDown=${onKeyDown}></textarea>
			<button type="submit" class="primary">Save</button>
			<button type="button" onClick=${onDone}>Cancel</button>
		</form>
	`;
}
