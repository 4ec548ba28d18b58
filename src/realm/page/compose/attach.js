// Files for a message: chosen with a button, or pasted. The realm stores them, and the text gets their links.

import {html} from 'htm/preact';
import {useRef, useState} from 'preact/hooks';
import {Icon} from '../frame/icons.js';

const MOST_FILES = 10;

/** @param onDone gets the link of each uploaded file */
export function useUploads({chat, onDone}) {
	const [count, setCount] = useState(0);

	async function add(files) {
		const chosen = files.slice(0, MOST_FILES);
		setCount(before => before + chosen.length);
		for (const file of chosen) {
			await chat.attempt(`${file.name} was not uploaded`, async () => onDone(await chat.upload(file)));
			setCount(before => before - 1);
		}
	}

	return {add, isBusy: count > 0};
}

/** @param {DataTransfer} [data] */
export function filesOf(data) {
	return [...(data?.files ?? [])];
}

export function AttachButton({onFiles}) {
	const input = useRef(/** @type {any} */ (null));

	function choose({target}) {
		onFiles([...target.files]);
		target.value = '';
	}

	return html`
		<button type="button" onClick=${() => input.current.click()}><${Icon} name="attach" /> Attach</button>
		<input ref=${input} class="unseen" type="file" multiple tabindex="-1" aria-label="Files to attach" onChange=${choose} />
	`;
}
