// Times for people: in the time zone of the browser.

import {html} from 'htm/preact';

const two = value => String(value).padStart(2, '0');

/** `14:03:10`, with the day unless it is today. */
export function clock(ms, now = Date.now()) {
	const date = new Date(ms);
	const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
	const isToday = date.toDateString() === new Date(now).toDateString();
	return isToday ? time : `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${time}`;
}

/** `12 ms`, `3.4 s`, `5 min`, `3 h`, `2 d`. */
export function span(ms) {
	if (ms < 1_000) {
		return `${Math.max(0, Math.round(ms))}\u00a0ms`;
	}

	const [size, unit] = [
		[86_400_000, 'd'],
		[3_600_000, 'h'],
		[60_000, 'min'],
	].find(([size]) => ms >= 2 * Number(size)) ?? [1_000, 's'];
	const count = ms / Number(size);
	return `${unit === 's' && count < 100 ? count.toFixed(1) : Math.round(count)}\u00a0${unit}`;
}

export function Time({at, now}) {
	return html`<time datetime=${new Date(at).toISOString()} title=${new Date(at).toString()}>${clock(at, now)}</time>`;
}

/** `5 min ago`; the exact time is its title. */
export function Since({at, now}) {
	return html`<time datetime=${new Date(at).toISOString()} title=${new Date(at).toString()}>${span(Math.max(1_000, Math.round((now - at) / 1_000) * 1_000)).replace('.0', '')} ago</time>`;
}
