// Deliveries: search, filters and a time range, all of them in the URL; the details of one beside the list.

import {html} from 'htm/preact';
import {useEffect, useState} from 'preact/hooks';
import {api} from './api.js';
import {Details} from './details.js';
import {Filters, rangeOf} from './filters.js';
import {go, linkTo} from './location.js';
import {Failure} from './parts.js';
import {usePoll} from './poll.js';
import {span, Time} from './time.js';

export function Deliveries({location, onSignedOut}) {
	/** @type {Record<string, string>} */
	const state = Object.fromEntries(location);
	const {q = '', status, account, id, of} = state;
	const query = withoutEmpty({q, status, account, ...rangeOf(state)});
	const {data, readAt, error} = usePoll('deliveries', query, {onSignedOut});
	const [accounts, setAccounts] = useState([]);

	useEffect(() => {
		api.get('accounts').then(setAccounts, () => {});
	}, []);

	// A pasted reference or id opens its delivery. Only once, so that it can be closed.
	const exact = data?.exact.length === 1 ? data.exact[0] : undefined;
	const shown = id !== undefined ? {account: of, id} : state.closed === q && q !== '' ? undefined : exact;

	return html`
		<main class="screen ${shown ? 'with-details' : ''} ${error ? 'stale' : ''}">
			<div class="list">
				<h1>Deliveries</h1>
				<${Filters} ...${{state, accounts}} />
				<${Failure} ...${{error, readAt}} />
				${data && html`<${Rows} ...${{data, state, shown}} />`}
			</div>
			${
				shown &&
				html`<${Details}
					key=${`${shown.account} ${shown.id}`}
					...${{delivery: shown, onSignedOut}}
					onOpen=${other => go({...state, of: other.account, id: other.id})}
					onClose=${() => go({...state, id: undefined, of: undefined, closed: q})}
				/>`
			}
		</main>
	`;
}

function withoutEmpty(query) {
	return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined && value !== ''));
}

function Rows({data: {rows, since, searchedTo, exact}, state, shown}) {
	if (rows.length === 0 && searchedTo === undefined) {
		const isFound = exact.length > 0;
		return html`<p class="quiet">${isFound ? '' : 'No deliveries match. Change the search, the filters or the time range.'}</p>`;
	}

	return html`
		<table class="rows">
			<thead>
				<tr><th>Arrived</th><th>Status</th><th>Bot</th><th>From</th><th>Answer</th><th class="number">Took</th><th>Delivery</th></tr>
			</thead>
			<tbody>
				${rows.map(row => html`<${Row} key=${`${row.account} ${row.id}`} ...${{row, state, shown}} />`)}
			</tbody>
		</table>
		${
			searchedTo !== undefined &&
			html`<p class="more">
				<span class="quiet">Everything after <${Time} at=${searchedTo} /> was searched.</span>
				<a ...${linkTo({...state, range: 'custom', since: since || undefined, until: searchedTo})}>Show older deliveries</a>
			</p>`
		}
	`;
}

function Row({row, state, shown}) {
	const isShown = shown?.id === row.id && shown?.account === row.account;
	const trouble = row.error.split('\n')[0] || row.sends.find(text => /^(failed|unknown)/.test(text)) || '';
	return html`
		<tr class=${isShown ? 'shown' : ''}>
			<td><${Time} at=${row.arrivedAt} /></td>
			<td><span class="badge is-${row.word}">${row.word}</span></td>
			<td>${row.bot}</td>
			<td>${fromOf(row)}</td>
			<td>${answerOf(row)}</td>
			<td class="number">${row.endedAt > 0 ? span(row.endedAt - row.arrivedAt) : '–'}</td>
			<td>
				<a aria-current=${isShown ? 'true' : undefined} ...${linkTo({...state, of: row.account, id: row.id})}>${row.id}</a>
				${trouble && html`<small class="trouble">${trouble}</small>`}
			</td>
		</tr>
	`;
}

function fromOf({who, channel, topic, kind, what}) {
	if (who === undefined) {
		return [kind, what].filter(Boolean).join(' ') || '–';
	}

	return channel === undefined ? `${who}, direct message` : `${who} in #${channel}${topic ? ` > ${topic}` : ''}`;
}

function answerOf({decision, isSilent}) {
	return decision === 'none' ? '–' : decision === 'inline' && isSilent ? 'silent' : decision;
}
