// The wire: what a message caused, as a timeline.

import {html} from 'htm/preact';
import {useEffect, useState} from 'preact/hooks';
import {Copy} from './copy.js';
import {dev} from './dev-api.js';
import {useKnown} from './follow.js';
import {receiveCommand} from './receive-command.js';
import {explain} from './why.js';

/** The ledger changes without an exchange, too. */
const EVERY_MS = 2_000;

export function Wire() {
	const id = useKnown(({messageId, exchanges}) => messageId ?? latest(exchanges));
	const known = useKnown(({byMessage}) => byMessage.get(id), [id]);
	const wire = useLatest(id === undefined ? undefined : `/exchanges?message_id=${id}`, known);
	const ledger = useLatest(id === undefined ? undefined : `/deliveries?message_id=${id}`, known);
	if (id === undefined) {
		return html`<p class="quiet">No message has called a bot since the realm started. Mention a bot, or send it a direct message.</p>`;
	}

	const {deliveries = []} = ledger.answer ?? {};
	const sorted = (wire.answer?.exchanges ?? []).toSorted((a, b) => a.at_ms - b.at_ms || a.id - b.id);
	const command = receiveCommand(sorted);
	return html`
		<h3>Message ${id}</h3>
		${wire.error && html`<p class="error" role="alert">${wire.error}</p>`}
		${ledger.error && html`<p class="quiet">The ledger is missing: ${ledger.error}</p>`}
		${
			wire.answer &&
			html`
				<p class="acts">
					<${Copy} label="Copy as JSON" text=${() => JSON.stringify(sorted, null, 2)} />
					${command && html`<${Copy} label="Copy as bothy receive" text=${() => command} />`}
				</p>
			`
		}
		${explain(sorted, deliveries).map(({userId, bot, text}) => html`<p key=${userId} class="hint"><strong>${bot}</strong>: ${text}</p>`)}
		${deliveries.map(delivery => html`<${Ledger} key=${delivery.id} ...${{delivery}} />`)}
		<ol class="timeline">
			${sorted.map(exchange => html`<li key=${exchange.id} class=${isBad(exchange) ? 'bad' : ''}><${Step} ...${{exchange, isFirst: exchange === sorted[0]}} /></li>`)}
		</ol>
	`;
}

/** Asks for a path again and again, and at once when what is `known` changes. An answer belongs to its path, so it never appears for another message. */
function useLatest(path, known) {
	const [found, setFound] = useState(/** @type {any} */ ({}));
	useEffect(() => {
		let isOver = false;
		let timer;
		async function load() {
			const answer = await dev.get(path).then(
				answer => ({path, answer}),
				({message: error}) => ({path, error}),
			);
			if (!isOver) {
				// After a failure, what is known already stays on the page.
				setFound(before => ({...(before.path === path && before), error: undefined, ...answer}));
				timer = setTimeout(load, EVERY_MS);
			}
		}

		if (path === undefined) {
			return;
		}

		load();
		return () => {
			isOver = true;
			clearTimeout(timer);
		};
	}, [path, known]);
	return found.path === path ? found : {};
}

/** The message of the latest exchange. */
function latest(exchanges) {
	return [...exchanges.values()].filter(({message_id: id}) => id !== null).at(-1)?.message_id;
}

function isBad({status, outcome}) {
	return status >= 400 || !['answered', 'running'].includes(outcome);
}

function Step({exchange, isFirst}) {
	const {
		kind,
		bot,
		attempt,
		operation,
		method,
		url,
		ms,
		status,
		reason,
		fault,
		request,
		answer,
		posted,
		linked_by: link,
	} = exchange;
	const isWebhook = kind === 'webhook';
	return html`
		<p class="what">
			<strong>${isWebhook ? `Webhook to ${bot.full_name}` : `${bot.full_name} calls ${operation ?? 'an unknown path'}`}</strong>
			${attempt > 1 && html` <span class="badge">attempt ${attempt}</span>`}
			${fault && html` <span class="badge dev">fault: ${fault}</span>`}
			${link === 'time' && html` <span class="badge" title="A guess: this message was the last one that called the bot">probably for this message</span>`}
		</p>
		<p class="where"><code>${method} ${url}</code> <${Time} at=${exchange.at_ms} /></p>
		<${Body} title=${isWebhook ? 'Payload' : 'Parameters'} body=${request} isOpen=${isFirst} />
		<p class="outcome">${ms === null ? 'No answer yet' : status === null ? `${reason}, after ${ms} ms` : `Answered ${status} after ${ms} ms`}</p>
		${answer && html`<${Body} title="Answer" body=${answer} isOpen=${isWebhook || status >= 400} />`}
		${posted.map(
			({message_id: id, to, text}) => html`
				<p key=${id} class="posted">${to === 'owner' ? 'Told the bot’s owner' : `Posted message ${id}`}: <q>${text}</q></p>
			`,
		)}
	`;
}

const clock = new Intl.DateTimeFormat(undefined, {
	hour: '2-digit',
	minute: '2-digit',
	second: '2-digit',
	fractionalSecondDigits: 3,
});

function Time({at}) {
	const date = new Date(at);
	return html`<time datetime=${date.toISOString()}>${clock.format(date)}</time>`;
}

function Body({title, body: {text, length}, isOpen}) {
	const cut = length > text.length ? `, cut: ${text.length} of ${length} characters` : '';
	return html`
		<details open=${isOpen}>
			<summary>${title}${cut}</summary>
			<pre tabindex="0" aria-label=${title}>${pretty(text)}</pre>
		</details>
	`;
}

function pretty(text) {
	try {
		return JSON.stringify(JSON.parse(text), null, 2);
	} catch {
		return text;
	}
}

/** What the bot host knows of it: errors of handlers never travel over the wire. */
function Ledger({delivery: {id, status, runs, error, lost}}) {
	return html`
		<section class=${`ledger${error || lost.length > 0 ? ' bad' : ''}`} aria-label="The ledger">
			<p><strong>Ledger</strong> <code>${id}</code>: ${status}, ${runs} ${runs === 1 ? 'run' : 'runs'}</p>
			${error && html`<pre tabindex="0" aria-label="Error">${error}</pre>`}
			${lost.map(reason => html`<p key=${reason} class="lost">Not posted: ${reason.replace(/^failed /, '')}</p>`)}
		</section>
	`;
}
