import {html} from 'htm/preact';

const paths = {
	house: 'M4 13 12 5l8 8M6.5 11.5V20h11v-8.5M10.5 20v-4.5h3V20',
	menu: 'M4 7h16M4 12h16M4 17h16',
	send: 'm4 12 16-8-6 16-3-7z',
	switch: 'M4 9h14l-4-4M20 15H6l4 4',
	plus: 'M12 5v14M5 12h14',
	down: 'M12 5v14m-6-6 6 6 6-6',
	search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l5 5',
	react: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM8.5 14.5c1.8 2.4 5.2 2.4 7 0M9 9.5h.01M15 9.5h.01',
	quote: 'M10 7H5v6h4c0 2-1 3-3 4M20 7h-5v6h4c0 2-1 3-3 4',
	link: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
	edit: 'M4 20l1-5L16 4l4 4L9 19zM14 6l4 4',
	delete: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10.5 11v5M13.5 11v5',
	check: 'm5 13 4 4L19 7',
	attach: 'm20 11-8 8a5 5 0 0 1-7-7l8-8a3.5 3.5 0 0 1 5 5l-8 8a2 2 0 0 1-3-3l7-7',
	clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3 3',
	close: 'M6 6l12 12M18 6L6 18',
};

/** A decorative icon beside a text. */
export function Icon({name}) {
	return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${paths[name]} /></svg>`;
}
