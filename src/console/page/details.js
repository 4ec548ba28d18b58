// One delivery as a timeline, with what an operator can do about it.

import {html} from 'htm/preact';
import {useEffect, useRef, useState} from 'preact/hooks';
import {ActionButton, Failure, Outcome} from './parts.js';
import {usePoll} from './poll.js';
import {span, Time} from './time.js';

export function Details({delivery, onOpen, onClose, onSignedOut}) {
	const {data, readAt, error, read} = usePoll('delivery', delivery, {onSignedOut});
	const [outcome, setOutcome] = useState(null);
	const [withText, setWithText] = useState(null);
	const heading = useRef(null);

	useEffect(() => heading.current?.focus(), []);

	function onDone(result, {action}) {
		if (action === 'show text' && result.id !== undefined) {
			setWithText(result);
		} else {
			setOutcome(result);
		}

		read();
	}

	const shown = data && withText ? joined(data, withText) : data;
	return html`
		<section class="details" aria-label="Delivery ${delivery.id}">
			<div class="head">
				<h2 ref=${heading} tabindex="-1">${delivery.id}</h2>
				<button type="button" onClick=${onClose}>Close</button>
			</div>
			<${Failure} ...${{error, readAt}} />
			${shown && html`<${Actions} ...${{data: shown, onDone, isTextShown: withText !== null}} />`}
			<${Outcome} outcome=${outcome} />
			${shown && html`<${Timeline} ...${{data: shown, onDone}} />`}
			${
				data?.replay &&
				html`<p>Replayed as <button type="button" class="link" onClick=${() => onOpen({...delivery, id: data.replay})}>${data.replay}</button></p>`
			}
		</section>
	`;
}

/** What the audited click has shown; the rest stays as it is now. */
function joined(data, {payload, answer, sends}) {
	const texts = new Map(sends.map(({n, text}) => [n, text]));
	return {...data, payload, answer, sends: data.sends.map(said => ({...said, text: texts.get(said.n) ?? said.text}))};
}

function Actions({data: {account, id, hasText, canReplay, bot, status}, onDone, isTextShown}) {
	const of = {account, id};
	return html`
		<p class="summary"><span class="badge is-${status}">${status}</span> ${bot}</p>
		<div class="actions">
			${canReplay && html`<${ActionButton} action=${{action: 'dry run', ...of}} label="Dry run" onDone=${onDone} />`}
			${canReplay && html`<${ActionButton} action=${{action: 'replay', ...of}} label="Replay" onDone=${onDone} />`}
			${hasText && !isTextShown && html`<${ActionButton} action=${{action: 'show text', ...of}} label="Show text (audited)" onDone=${onDone} />`}
			${canReplay && html`<span class="quiet">A dry run posts nothing. A replay posts what the bot answers now.</span>`}
			${!hasText && html`<span class="quiet">The text was dropped (LEDGER_TEXT_HOURS), so it cannot be replayed.</span>`}
		</div>
	`;
}

const ANSWERED = {
	inline: 'Answered in the webhook',
	late: 'Answered late, over the API',
	silent: 'Ended without an answer',
	'-': 'Not answered yet',
};

function Timeline({data, onDone}) {
	const {status, arrivedAt, endedAt, work, runs, stops, error, answered, answer, sends, payload} = data;
	return html`
		<ol class="timeline">
			<li>
				<h3>Arrived <${Time} at=${arrivedAt} /></h3>
				<p>${work ?? 'Its content is no longer stored'}</p>
				${payload && html`<details><summary>Payload</summary><pre tabindex="0">${payload}</pre></details>`}
			</li>
			<li>
				<h3>${runs} ${runs === 1 ? 'run' : 'runs'}${endedAt ? `, ${span(endedAt - arrivedAt)}` : ', not ended'}</h3>
				${stops > 0 && html`<p>The host stopped during ${stops} of them.</p>`}
			</li>
			${
				error === undefined &&
				status === 'parked' &&
				html`<li class="bad"><h3>Error</h3><p>The delivery ended its process three times. The log of the host says how the process ended.</p></li>`
			}
			${
				error !== undefined &&
				html`<li class="bad">
					<h3>Error</h3>
					<pre class="stack" tabindex="0" aria-label="Error">${error}</pre>
				</li>`
			}
			<li>
				<h3>${ANSWERED[answered]} ${endedAt && html`<${Time} at=${endedAt} />`}</h3>
				${answer && html`<details><summary>Answer</summary><pre tabindex="0">${answer}</pre></details>`}
			</li>
			${sends.map(said => html`<${Send} key=${said.n} ...${{said, data, onDone}} />`)}
		</ol>
	`;
}

function Send({said: {n, kind, target, text, dueAt, state, canResolve, canCancel}, data: {account, id}, onDone}) {
	const of = {account, id, n};
	const about = `send ${n}`;
	return html`
		<li class=${canResolve ? 'bad' : ''}>
			<h3>${kind} ${n} to ${target}</h3>
			<p><strong>${state}</strong>${dueAt > 0 && html`, due <${Time} at=${dueAt} />`}</p>
			<p class="text">${text}</p>
			${state === 'unknown' && html`<p class="quiet">The service gave no answer. Check whether the message was posted. If it was, resolve it as sent. Otherwise, post it again.</p>`}
			<div class="actions">
				${canResolve && html`<${ActionButton} action=${{action: 'retry send', ...of}} label="Post again" about=${about} onDone=${onDone} />`}
				${canResolve && html`<${ActionButton} action=${{action: 'resolve as sent', ...of}} label="Resolve as sent" about=${about} onDone=${onDone} />`}
				${canCancel && html`<${ActionButton} action=${{action: 'cancel send', ...of}} label="Cancel" sure="Cancel for good" about=${about} onDone=${onDone} />`}
			</div>
		</li>
	`;
}
