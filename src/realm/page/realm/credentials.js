// The login of this tab. Other tabs may have other logins.

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
