import {html} from 'htm/preact';

/** Initials on a colour that depends on the person. Bots have square avatars. */
export function Avatar({id, name, isBot = false}) {
	const style = {'--hue': String((id * 137) % 360)};
	return html`<span class=${isBot ? 'avatar bot' : 'avatar'} style=${style} aria-hidden="true">${initials(name)}</span>`;
}

function initials(name) {
	const words = name.split(/[\s._-]+/).filter(Boolean);
	const letters = words.length > 1 ? [words[0], words.at(-1)] : words;
	return letters.map(word => [...word][0].toUpperCase()).join('');
}
