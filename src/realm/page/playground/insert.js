// Writes a command into the compose box.

/** In a conversation with others, the bot must be mentioned. */
export function insert(bot, command) {
	const box = /** @type {HTMLTextAreaElement | null} */ (document.querySelector('main textarea'));
	if (!box) {
		return;
	}

	const isDirect = location.hash.startsWith('#dm/');
	box.value = `${isDirect ? '' : `@**${bot}** `}${command} `;
	box.dispatchEvent(new Event('input', {bubbles: true}));
	box.focus();
	box.setSelectionRange(box.value.length, box.value.length);
}
