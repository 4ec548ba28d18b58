// Buttons that make the next webhook or REST call of a bot fail.

import {html} from 'htm/preact';
import {useState} from 'preact/hooks';
import {dev} from './dev-api.js';
import {look, playground, useKnown} from './follow.js';

const webhooks = [
	{label: 'Delay 12 s', fault: {kind: 'delay', delay_ms: 12_000}},
	{label: 'Break before the answer', fault: {kind: 'break-before'}},
	{label: 'Break after the answer', fault: {kind: 'break-after'}},
];

const calls = [
	{label: '429', fault: {kind: '429', retry_after: 2}},
	{label: '500', fault: {kind: '500'}},
	{label: 'Accepted, then broken', fault: {kind: 'accept-and-break'}},
];

/** Messages of bots. Polls, or what a person sends on this page, would use the fault up. */
const POSTS = {operation: 'sendMessage', only_bots: true};

export function Faults() {
	const {faults, messageId, bots} = useKnown(known => known);
	const [email, setEmail] = useState('');
	const [said, setSaid] = useState('');
	const names = new Map((bots?.bots ?? []).map(bot => [bot.email, bot.full_name]));
	const last = [...playground.get().byMessage.keys()].filter(id => id !== null).at(-1);
	const target = messageId ?? last;

	async function act(run, done) {
		try {
			const answer = await run();
			setSaid(done(answer));
			await look();
		} catch (failure) {
			setSaid(failure.message);
		}
	}

	const add = (path, fault) =>
		act(
			() => dev.post(`/faults/${path}`, fault),
			() => 'Pending. Once it has happened, Wire shows it.',
		);
	return html`
		<p>
			<label>For <select value=${email} onChange=${event => setEmail(event.target.value)}>
				<option value="">every bot</option>
				${[...names].map(([address, name]) => html`<option key=${address} value=${address}>${name}</option>`)}
			</select></label>
		</p>
		<h3>The next webhook</h3>
		<p class="acts">
			${webhooks.map(({label, fault}) => html`<button key=${label} type="button" onClick=${() => add('webhooks', {...fault, ...(email && {bot: email})})}>${label}</button>`)}
		</p>
		<h3>The next message that the bot posts over the API</h3>
		<p class="acts">
			${calls.map(({label, fault}) => html`<button key=${label} type="button" onClick=${() => add('calls', {...fault, ...POSTS, ...(email && {account: email})})}>${label}</button>`)}
		</p>
		<h3>Now</h3>
		<p class="acts">
			${
				target !== undefined &&
				html`<button type="button" onClick=${() =>
					act(
						() => dev.post('/faults/redeliver', {message_id: target, ...(email && {bot: email})}),
						({deliveries}) => `Posted ${deliveries} ${deliveries === 1 ? 'webhook' : 'webhooks'} again.`,
					)}>Redeliver message ${target}</button>`
			}
			<button type="button" onClick=${() =>
				act(
					() => dev.post('/faults/expire-queue', email ? {account: email} : {all: true}),
					({expired}) => `${expired} event ${expired === 1 ? 'queue' : 'queues'} expired.`,
				)}>Expire event queues</button>
		</p>
		<p role="status">${said}</p>
		<h3>Pending</h3>
		${faults.length === 0 && html`<p class="quiet">Nothing is pending.</p>`}
		<ul class="rows">
			${faults.map(
				one => html`
					<li key=${one.id}>
						<span>${describe(one, names)}</span>
						<button type="button" onClick=${() =>
							act(
								() => dev.delete(`/faults/${one.id}`),
								() => 'Cancelled.',
							)}>Cancel</button>
					</li>
				`,
			)}
		</ul>
	`;
}

function describe({what, fault}, names) {
	const {kind = fault.kinds?.join(', ') ?? 'swap', count, operation, bot, account, delay_ms: delay} = fault;
	const who = names.get(bot ?? account) ?? bot ?? account ?? 'every bot';
	const things = {webhooks: 'webhook', calls: operation ?? 'REST call', shares: 'share of calls', swaps: 'event'};
	return `${kind}${delay ? ` ${delay / 1000} s` : ''}: next ${count > 1 ? `${count} × ` : ''}${things[what]}, ${who}`;
}
