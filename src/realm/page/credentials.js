// Who this tab is. Another tab may be somebody else.

const name = 'bothy-credentials';

/** @returns {{email: string, key: string} | null} */
export function recall() {
	return JSON.parse(sessionStorage.getItem(name) ?? 'null');
}

export function remember(credentials) {
	sessionStorage.setItem(name, JSON.stringify(credentials));
}

export function forget() {
	sessionStorage.removeItem(name);
}
