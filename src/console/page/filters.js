// The search field, the filter chips and the time range of the deliveries.

import {html} from 'htm/preact';
import {useLayoutEffect, useRef} from 'preact/hooks';
import {go, linkTo} from './location.js';

const STATUSES = ['running', 'held', 'done', 'failed', 'parked', 'flood'];

const RANGES = {
	'15m': ['the last 15 minutes', 15 * 60_000],
	'1h': ['the last hour', 3_600_000],
	'24h': ['the last day', 86_400_000],
};

/**
 * The parameters of the API for the range in the URL.
 *
 * @param {Record<string, string>} state
 */
export function rangeOf({range, since, until}) {
	if (range === 'custom') {
		return {since: timeOf(since), before: timeOf(until)};
	}

	return Object.hasOwn(RANGES, range ?? '') ? {within: RANGES[range][1]} : {};
}

/** A URL may hold anything. */
function timeOf(text) {
	return /^\d{1,14}$/.test(text ?? '') ? Number(text) : undefined;
}

/** The value of a field: from the URL when that changes, otherwise what somebody types. The list below is refreshed meanwhile. */
function useValue(value) {
	const field = useRef(null);
	useLayoutEffect(() => {
		field.current.value = value;
	}, [value]);
	return field;
}

export function Filters({state, accounts}) {
	const form = useRef(null);
	const q = useValue(state.q ?? '');
	// A new search begins with the latest, and closes what was open.
	const base = {...state, id: undefined, of: undefined, closed: undefined};

	function search(event) {
		event.preventDefault();
		const fields = new FormData(form.current);
		const [since, until] = ['since', 'until'].map(name => timeIn(fields.get(name)));
		go({
			...base,
			q: String(fields.get('q') ?? '').trim(),
			account: fields.get('account'),
			range: fields.get('range'),
			since,
			until,
		});
	}

	return html`
		<form ref=${form} class="filters" role="search" onSubmit=${search}>
			<label class="search">
				<span class="unseen">Search</span>
				<input ref=${q} type="search" name="q" placeholder="Reference, message id, person, text" maxlength="200" />
			</label>
			<label><span class="unseen">Bot</span>
				<select name="account" value=${state.account ?? ''} onChange=${search}>
					<option value="">all bots</option>
					${accounts.map(({name, account}) => html`<option key=${account} value=${account} selected=${account === state.account}>${name}</option>`)}
				</select>
			</label>
			<label><span class="unseen">Time</span>
				<select name="range" value=${state.range ?? ''} onChange=${search}>
					<option value="">any time</option>
					${Object.entries(RANGES).map(([name, [title]]) => html`<option key=${name} value=${name} selected=${name === state.range}>${title}</option>`)}
					<option value="custom" selected=${state.range === 'custom'}>from … to …</option>
				</select>
			</label>
			${state.range === 'custom' && html`<${Between} key=${`${state.since} ${state.until}`} state=${state} />`}
			<button type="submit">Search</button>
		</form>
		<ul class="chips" aria-label="Status">
			${[undefined, ...STATUSES].map(
				status => html`
					<li key=${status ?? 'all'}>
						<a class="chip" aria-current=${state.status === status ? 'true' : undefined} ...${linkTo({...base, status})}>${status ?? 'all'}</a>
					</li>
				`,
			)}
		</ul>
	`;
}

function Between({state: {since, until}}) {
	const from = useValue(fieldOf(timeOf(since)));
	const to = useValue(fieldOf(timeOf(until)));
	return html`
		<label>from <input ref=${from} type="datetime-local" name="since" step="1" /></label>
		<label>to <input ref=${to} type="datetime-local" name="until" step="1" /></label>
	`;
}

/** Milliseconds since 1970 of a field, which has the browser's time zone. */
function timeIn(text) {
	const time = text ? Date.parse(String(text)) : Number.NaN;
	return Number.isNaN(time) ? undefined : time;
}

function fieldOf(ms) {
	if (!ms) {
		return '';
	}

	const date = new Date(ms);
	return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
