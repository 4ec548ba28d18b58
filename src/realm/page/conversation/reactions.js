// The reactions below a message, and the list of emoji to react with.

import {html} from 'htm/preact';
import {useRef} from 'preact/hooks';
import {characterOf, common} from './emoji.js';

const FEW_NAMES = 3;

/** One button per emoji, with the names of the people. A press adds or removes one's own. */
export function Reactions({state, chat, message}) {
	const groups = Map.groupBy(message.reactions, one => `${one.reaction_type}:${one.emoji_code}`);
	if (groups.size === 0) {
		return null;
	}

	return html`
		<div class="reactions" role="group" aria-label="Reactions">
			${[...groups].map(([key, list]) => html`<${Pill} key=${key} ...${{state, chat, message, list}} />`)}
		</div>
	`;
}

function Pill({state, chat, message, list}) {
	const [{emoji_name, emoji_code, reaction_type}] = list;
	const emoji = {emoji_name, emoji_code, reaction_type};
	const ids = list.map(one => one.user_id);
	const names = ids.map(id => (id === state.me.user_id ? 'You' : (state.users.get(id)?.full_name ?? 'Somebody')));
	const isMine = ids.includes(state.me.user_id);

	return html`
		<button type="button" class="reaction" aria-pressed=${isMine} title=${`${names.join(', ')}: ${emoji_name}`}
			onClick=${() => chat.react(message, emoji)}>
			<${Emoji} ...${{state, emoji}} /> <span dir="auto">${names.length > FEW_NAMES ? names.length : names.join(', ')}</span>
		</button>
	`;
}

export function Emoji({state, emoji: {emoji_name: name, emoji_code: code, reaction_type: type}}) {
	const custom = type === 'realm_emoji' && state.emoji.find(({id}) => String(id) === String(code));
	if (custom) {
		return html`<img class="emoji" src=${new URL(custom.source_url, location.origin).pathname} alt=${name} />`;
	}

	const character = type === 'unicode_emoji' && characterOf(code);
	return html`<span role="img" aria-label=${name}>${character || `:${name}:`}</span>`;
}

/** A few emoji, the realm's own, and a field for the name of any other. */
export function EmojiPicker({state, chat, message, onDone}) {
	const field = useRef(/** @type {any} */ (null));
	const own = state.emoji.map(({id, name}) => ({
		emoji_code: String(id),
		emoji_name: name,
		reaction_type: 'realm_emoji',
	}));

	async function react(emoji) {
		if (await chat.react(message, emoji)) {
			onDone();
		}
	}

	function submit(event) {
		event.preventDefault();
		const emoji_name = field.current.value.trim().replaceAll(':', '');
		if (emoji_name) {
			react({emoji_name});
		}
	}

	return html`
		<div class="picker" role="group" aria-label="Reactions to add">
			${[...common, ...own].map(
				emoji =>
					html`<button key=${emoji.emoji_name} type="button" title=${emoji.emoji_name} onClick=${() => react(emoji)}>
						<${Emoji} ...${{state, emoji}} />
					</button>`,
			)}
			<form onSubmit=${submit}>
				<input ref=${field} aria-label="Name of another emoji" placeholder="Other emoji" maxlength="60" autocomplete="off" />
			</form>
		</div>
	`;
}
