import {html} from 'htm/preact';

const paths = {
	house: 'M4 13 12 5l8 8M6.5 11.5V20h11v-8.5M10.5 20v-4.5h3V20',
	menu: 'M4 7h16M4 12h16M4 17h16',
	send: 'm4 12 16-8-6 16-3-7z',
	switch: 'M4 9h14l-4-4M20 15H6l4 4',
	plus: 'M12 5v14M5 12h14',
	down: 'M12 5v14m-6-6 6 6 6-6',
};

/** A decorative icon beside a text. */
export function Icon({name}) {
	return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${paths[name]} /></svg>`;
}
