// What a person can do with a message. Shown for the message under the pointer or with the focus.

import {html} from 'htm/preact';
import {useState} from 'preact/hooks';
import {hashOfMessage} from '../chat/places.js';
import {Icon} from '../frame/icons.js';
import {EmojiPicker} from './reactions.js';

const MODERATOR = 300;

/** @param onEdit starts the change of the text, @param onLeave gives the focus back to the message */
export function Toolbar({state, chat, message, onEdit, onLeave}) {
	const [open, setOpen] = useState('');
	const [isCopied, setIsCopied] = useState(false);
	const isMine = message.sender_id === state.me.user_id;
	const isBotOfMine = state.users.get(message.sender_id)?.bot_owner_id === state.me.user_id;
	const mayDelete = isMine || isBotOfMine || state.me.role < MODERATOR;
	const link = `${location.origin}/${hashOfMessage(message, state)}`;
	const toggle = name => setOpen(open === name ? '' : name);

	async function copy() {
		await navigator.clipboard.writeText(link);
		setIsCopied(true);
	}

	/** The focus would be lost with the button that had it. */
	function close() {
		setOpen('');
		onLeave();
	}

	async function remove() {
		if (await chat.remove(message)) {
			document.getElementById('compose')?.focus();
		}
	}

	function onKeyDown(event) {
		if (event.key === 'Escape') {
			event.stopPropagation();
			close();
		}
	}

	const tool = (icon, label, onClick, more = {}) => html`
		<button type="button" aria-label=${label} title=${label} onClick=${onClick} ...${more}><${Icon} name=${icon} /></button>
	`;

	return html`
		<div class="toolbar" role="toolbar" aria-label="Message actions" onKeyDown=${onKeyDown}>
			${tool('react', 'React', () => toggle('react'), {'aria-expanded': open === 'react'})}
			${tool('quote', 'Quote', () => chat.quote(message, link))}
			${tool(isCopied ? 'check' : 'link', isCopied ? 'Link copied' : 'Copy link', copy)}
			${isMine && tool('edit', 'Edit', onEdit)}
			${mayDelete && tool('delete', 'Delete', () => toggle('delete'), {'aria-expanded': open === 'delete'})}
			${open === 'react' && html`<${EmojiPicker} ...${{state, chat, message, onDone: close}} />`}
			${
				open === 'delete' &&
				html`<div class="picker" role="group" aria-label="Confirm">
					<span>Delete for everybody?</span>
					<button type="button" class="primary" onClick=${remove}>Delete message</button>
					<button type="button" onClick=${close}>Keep</button>
				</div>`
			}
		</div>
	`;
}
