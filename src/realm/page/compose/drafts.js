// Unsent text per person and conversation. It survives switching and reloading.

export function readDraft(owner, key) {
	return sessionStorage.getItem(name(owner, key)) ?? '';
}

export function writeDraft(owner, key, text) {
	if (text === '') {
		sessionStorage.removeItem(name(owner, key));
	} else {
		sessionStorage.setItem(name(owner, key), text);
	}
}

function name(owner, key) {
	return `bothy-draft:${owner}:${key}`;
}
