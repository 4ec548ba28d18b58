// One message: as the realm rendered it, or as plain text while it is being sent.

import {html} from 'htm/preact';
import {useLayoutEffect, useRef} from 'preact/hooks';
import {placeOf} from '../chat/places.js';
import {Avatar} from '../frame/avatar.js';
import {BelowMessage} from '../playground/playground.js';

export function Message({state, chat, message, isFollowing}) {
	const sender = state.users.get(message.sender_id);
	const mentionsMe = message.flags?.some(flag => flag.includes('mentioned')) ?? false;

	return html`
		<article class=${`message${isFollowing ? ' following' : ''}${mentionsMe ? ' mentions-me' : ''}`}>
			<${Head} id=${message.sender_id} name=${message.sender_full_name} isBot=${sender?.is_bot} timestamp=${message.timestamp} />
			<${Content} content=${message.content} />
			<${Choices} ...${{state, chat, message}} />
			<${BelowMessage} ...${{state, chat, message}} />
		</article>
	`;
}

export function PendingMessage({state, chat, message}) {
	const {content, timestamp, status, error} = message;
	return html`
		<article class=${`message pending ${status}`}>
			<${Head} id=${state.me.user_id} name=${state.me.full_name} timestamp=${timestamp} />
			<div class="content">
				<p class="raw">${content}</p>
				${status === 'sending' && html`<span class="unseen">Sending…</span>`}
				${
					status === 'failed' &&
					html`<p class="error" role="alert">
						Not sent: ${error}
						<button type="button" onClick=${() => chat.sendAgain(message)}>Try again</button>
						<button type="button" onClick=${() => chat.discard(message)}>Discard</button>
					</p>`
				}
			</div>
		</article>
	`;
}

function Head({id, name, isBot = false, timestamp}) {
	const date = new Date(timestamp * 1000);
	return html`
		<${Avatar} ...${{id, name, isBot}} />
		<header>
			<strong>${name}</strong>
			${isBot && html`<span class="badge">bot</span>`}
			<time datetime=${date.toISOString()} title=${date.toLocaleString()}>
				${date.toLocaleTimeString(undefined, {hour: '2-digit', minute: '2-digit'})}
			</time>
		</header>
	`;
}

/** A bot's buttons under its message. A press posts the button's text. */
function Choices({state, chat, message}) {
	const choices = choicesOf(message);
	const place = placeOf(message, state.me.user_id);
	return (
		choices.length > 0 &&
		html`
			<div class="choices" role="group" aria-label="Answers">
				${choices.map(
					({short_name: key, long_name: label, reply}) =>
						html`<button key=${key} type="button" onClick=${() => chat.send(place, reply)}>${label}</button>`,
				)}
			</div>
		`
	);
}

function choicesOf({submessages = []}) {
	const [widget] = submessages.filter(({msg_type: type}) => type === 'widget').map(({content}) => JSON.parse(content));
	return widget?.widget_type === 'zform' ? (widget.extra_data?.choices ?? []) : [];
}

/** The realm has escaped the author's HTML. In addition, the page's policy blocks scripts. */
function Content({content}) {
	const ref = useRef(null);
	useLayoutEffect(() => {
		for (const link of ref.current.querySelectorAll('a[href]')) {
			if (link.origin !== location.origin) {
				link.target = '_blank';
				link.rel = 'noopener noreferrer';
			}
		}
	}, [content]);
	return html`<div class="content" ref=${ref} dangerouslySetInnerHTML=${{__html: content}} />`;
}
