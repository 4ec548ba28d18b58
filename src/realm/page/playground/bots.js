// The bots: what they are for, their commands, settings and load errors.

import {html} from 'htm/preact';
import {hashOf} from '../chat/places.js';
import {useKnown} from './follow.js';
import {insert} from './insert.js';

export function Bots({state}) {
	const known = useKnown(({bots}) => bots);
	if (!known) {
		return html`<p class="quiet">Loading…</p>`;
	}

	return html`
		<p class="quiet">
			${known.has_host ? `Loaded at ${new Date(known.loaded_at_ms).toLocaleTimeString()}${known.reload_ms === null ? '' : `, in ${known.reload_ms} ms`}.` : 'The realm runs without a bot host, so this list shows only accounts. `bothy dev` starts both.'}
		</p>
		${known.reload_error && html`<p class="error" role="alert">Not reloaded; the previous version keeps running: ${known.reload_error}</p>`}
		${known.bots.map(bot => html`<${Bot} key=${bot.email} ...${{bot, state}} />`)}
	`;
}

function Bot({bot: {user_id: id, full_name: name, payload_url: url, hosted}, state}) {
	const {about, commands = [], config = [], error, file} = hosted ?? {};
	return html`
		<section class="bot" aria-label=${name}>
			<h3><a href=${hashOf({kind: 'direct', userIds: [id]}, state.channels)}>${name}</a> <small>${file}</small></h3>
			${error && html`<p class="error">${error.file && html`<code>${error.file}${error.line ? `:${error.line}` : ''}</code> `}${error.reason}</p>`}
			${about && html`<p>${about}</p>`}
			<p class="where">${url ? html`Webhooks to <code>${url}</code>` : 'Its host polls for messages'}</p>
			<ul class="commands">
				${commands.map(
					({name: command, usage, about: does}) => html`
						<li key=${command}><button type="button" title=${does} onClick=${() => insert(name, command)}><code>${usage}</code></button> <small>${does}</small></li>
					`,
				)}
			</ul>
			${
				config.length > 0 &&
				html`<dl>${config.map(({name: key, value}) => html`<div key=${key}><dt>${key}</dt><dd><code>${value}</code></dd></div>`)}</dl>`
			}
		</section>
	`;
}
