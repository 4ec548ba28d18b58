// Suggestions for people who have not written here yet.

import {html} from 'htm/preact';
import {others} from '../chat/names.js';
import {keyOf} from '../chat/places.js';
import {mentionOf} from './mention.js';

const MAX_HINTS = 4;

export function Hints({state, place, people, onPick}) {
	const conversation = state.conversations.get(keyOf(place));
	const hasWritten = conversation?.messages.some(message => message.sender_id === state.me.user_id);
	const isAmongPeople = place.kind === 'direct' && !place.userIds.some(id => state.users.get(id)?.is_bot);
	if (hasWritten || isAmongPeople) {
		return null;
	}

	const bots = others(state, {isBot: true}).filter(bot => !bot.is_system_bot);
	if (bots.length === 0) {
		return html`<p class="hints">No bots yet. Bothy creates one for each file in <code>bots/</code>.</p>`;
	}

	const tries =
		place.kind === 'direct' ? ['hello', 'help'] : bots.slice(0, MAX_HINTS).map(bot => mentionTry(bot, people));
	return html`
		<p class="hints">
			<span>Try</span>
			${tries.map(text => html`<button type="button" key=${text} dir="auto" onClick=${() => onPick(text)}>${text}</button>`)}
		</p>
	`;
}

/** Every bot has `help`, but Echo has nothing to explain. */
function mentionTry(bot, people) {
	return `${mentionOf(bot, people)} ${bot.full_name === 'Echo' ? 'hello' : 'help'}`;
}
