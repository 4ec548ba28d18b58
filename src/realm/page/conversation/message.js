// One message: as the realm rendered it, or as plain text while it is being sent.

import {html} from 'htm/preact';
import {useMemo, useState} from 'preact/hooks';
import {placeOf} from '../chat/places.js';
import {Avatar} from '../frame/avatar.js';
import {BelowMessage} from '../playground/playground.js';
import {Content} from './content.js';
import {EditBox} from './edit-box.js';
import {Reactions} from './reactions.js';
import {Toolbar} from './toolbar.js';

/** @param isActive under the pointer or with the focus; @param isNear the one that the address names */
export function Message({state, chat, message, isFollowing, isActive, isNear}) {
	const [isEditing, setIsEditing] = useState(false);
	const {isBot = false, text: status} = describe(state, message.sender_id);
	const mentionsMe = message.flags?.some(flag => flag.includes('mentioned')) ?? false;
	const {sender_full_name: name, timestamp, last_edit_timestamp: editedAt} = message;
	const classes = {message: true, following: isFollowing, 'mentions-me': mentionsMe, near: isNear};

	const focusArticle = () => document.getElementById(idOf(message))?.focus();
	const endEdit = () => {
		setIsEditing(false);
		focusArticle();
	};

	// A change elsewhere renders nothing here: there may be hundreds of messages.
	const body = useMemo(
		() => html`
			<${Head} id=${message.sender_id} ...${{name, isBot, timestamp, status}} />
			<div class="body">
				${isEditing ? html`<${EditBox} ...${{chat, message, onDone: endEdit}} />` : html`<${Content} ...${{chat, content: message.match_content ?? message.content}} />`}
				${editedAt && html`<span class="edited" title=${`Edited ${new Date(editedAt * 1000).toLocaleString()}`}>(edited)</span>`}
				<${Reactions} ...${{state, chat, message}} />
				<${Choices} ...${{state, chat, message}} />
			</div>
		`,
		[message, isBot, status, isEditing, state.users, state.emoji],
	);

	return html`
		<article id=${idOf(message)} data-id=${message.id} tabindex="-1" aria-label=${`${name}, ${timeOf(timestamp)}`} class=${classNames(classes)}>
			${body}
			${isActive && html`<${Toolbar} ...${{state, chat, message, onEdit: () => setIsEditing(true), onLeave: focusArticle}} />`}
			<${BelowMessage} ...${{state, chat, message}} />
		</article>
	`;
}

function idOf({id}) {
	return `message-${id}`;
}

function describe(state, userId) {
	return {isBot: state.users.get(userId)?.is_bot, text: state.statuses.get(userId)?.status_text};
}

export function PendingMessage({state, chat, message}) {
	const {content, timestamp, status, error} = message;
	const {full_name: name} = state.me;
	return html`
		<article class=${`message pending ${status}`} aria-label=${`${name}, not sent yet`}>
			<${Head} id=${state.me.user_id} ...${{name, timestamp}} />
			<div class="body">
				<div class="content" dir="auto"><p class="raw">${content}</p></div>
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

/** @param {{id: number, name: string, timestamp: number, isBot?: boolean, status?: string}} props */
function Head({id, name, isBot = false, timestamp, status}) {
	return html`
		<${Avatar} ...${{id, name, isBot}} />
		<header>
			<strong dir="auto">${name}</strong>
			${isBot && html`<span class="badge">bot</span>`}
			${status && html`<span class="status" dir="auto">${status}</span>`}
			<${Time} ...${{timestamp}} />
		</header>
	`;
}

function Time({timestamp}) {
	const date = new Date(timestamp * 1000);
	return html`<time datetime=${date.toISOString()} title=${date.toLocaleString()}>${timeOf(timestamp)}</time>`;
}

const clock = new Intl.DateTimeFormat(undefined, {hour: '2-digit', minute: '2-digit'});

function timeOf(timestamp) {
	return clock.format(timestamp * 1000);
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
						html`<button key=${key} type="button" dir="auto" onClick=${() => chat.send(place, reply)}>${label}</button>`,
				)}
			</div>
		`
	);
}

function choicesOf({submessages = []}) {
	const [widget] = submessages.filter(({msg_type: type}) => type === 'widget').map(({content}) => JSON.parse(content));
	return widget?.widget_type === 'zform' ? (widget.extra_data?.choices ?? []) : [];
}

function classNames(classes) {
	return Object.keys(classes)
		.filter(name => classes[name])
		.join(' ');
}
