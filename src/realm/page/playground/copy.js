// A button that copies a text, and says so.

import {html} from 'htm/preact';
import {useState} from 'preact/hooks';

export function Copy({label, text}) {
	const [said, setSaid] = useState('');

	async function copy() {
		try {
			await navigator.clipboard.writeText(text());
			setSaid('Copied');
		} catch {
			setSaid('The browser did not allow copying');
		}
	}

	return html`<button type="button" onClick=${copy}>${label}</button> <span role="status">${said}</span>`;
}
