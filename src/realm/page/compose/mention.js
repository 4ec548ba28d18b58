// Completes `@ec` to `@**Echo** ` while a person types. Knows nothing of the screen.

const MAX_OFFERS = 6;

/** @returns {{start: number, query: string} | undefined} the mention that the caret stands behind */
export function findMention(text, caret) {
	const match = /(?:^|[\s'"({[/<])@\*{0,2}(?<query>[^@*\n]{0,40})$/.exec(text.slice(0, caret));
	return match ? {start: text.lastIndexOf('@', caret - 1), query: match.groups?.query ?? ''} : undefined;
}

/** Bots come first, because the realm is for trying bots. */
export function offersFor(query, users) {
	const sought = query.toLowerCase();
	return users
		.filter(user => wordStarts(user.full_name.toLowerCase()).some(rest => rest.startsWith(sought)))
		.sort((a, b) => Number(b.is_bot) - Number(a.is_bot) || a.full_name.localeCompare(b.full_name))
		.slice(0, MAX_OFFERS);
}

/** @returns the text with the mention in place, and where the caret goes */
export function completeMention({text, caret, start, user, users}) {
	const before = `${text.slice(0, start)}${mentionOf(user, users)} `;
	const after = text.slice(caret).replace(/^ /, '');
	return {text: before + after, caret: before.length};
}

/** Names are not unique, so the ID may be needed. */
export function mentionOf(user, users) {
	const namesakes = users.filter(other => other.full_name.toLowerCase() === user.full_name.toLowerCase());
	return namesakes.length > 1 ? `@**${user.full_name}|${user.user_id}**` : `@**${user.full_name}**`;
}

function wordStarts(name) {
	return name.split(' ').map((_, index, words) => words.slice(index).join(' '));
}
