// What bots will say or do later.

import {html} from 'htm/preact';
import {useEffect, useState} from 'preact/hooks';
import {dev} from './dev-api.js';
import {useKnown} from './follow.js';

/** Bots may plan without a call to the realm. */
const EVERY_MS = 2_000;

export function Due() {
	const bots = useKnown(known => known.bots);
	const [found, setFound] = useState(/** @type {any} */ (undefined));
	const [said, setSaid] = useState('');
	const names = new Map((bots?.bots ?? []).map(bot => [bot.email, bot.full_name]));

	async function load() {
		try {
			setFound(await dev.get('/due'));
		} catch (failure) {
			setSaid(failure.message);
		}
	}

	useEffect(() => {
		load();
		const timer = setInterval(load, EVERY_MS);
		return () => clearInterval(timer);
	}, []);

	async function act(path, {bot, id}, done) {
		try {
			await dev.post(`/due/${path}`, {bot, id});
			setSaid(done);
		} catch (failure) {
			setSaid(failure.message);
		}

		await load();
	}

	return html`
		<p role="status">${said}</p>
		${found && !found.has_host && html`<p class="quiet">The realm runs without a bot host, so it does not know what bots plan. <code>bothy dev</code> starts both.</p>`}
		${found?.has_host && found.due.length === 0 && html`<p class="quiet">Bots have nothing planned.</p>`}
		<ul class="rows">
			${(found?.due ?? []).map(
				one => html`
					<li key=${`${one.bot} ${one.id}`}>
						<span>
							<strong>${names.get(one.bot) ?? one.bot}</strong> <time datetime=${new Date(one.due_at_ms).toISOString()}>${new Date(one.due_at_ms).toLocaleString()}</time>
							<br />${one.handler ? html`runs <code>${one.handler}</code>` : html`says “${one.text}”`}${one.to && ` in ${one.to}`}${one.every && html` <small>every ${one.every}</small>`}
						</span>
						<button type="button" onClick=${() => act('run', one, 'It runs now.')}>Now</button>
						${one.can_cancel && html`<button type="button" onClick=${() => act('cancel', one, 'Cancelled.')}>Cancel</button>`}
					</li>
				`,
			)}
		</ul>
	`;
}
