// Who is signed in in this tab. Other tabs may have other people. The key is not stored: the realm gives it again.

const name = 'bothy-person';

/** @returns {string | null} the person's email address */
export function recall() {
	return sessionStorage.getItem(name);
}

export function remember(email) {
	sessionStorage.setItem(name, email);
}

export function forget() {
	sessionStorage.removeItem(name);
}

/** @returns {Promise<{email: string, key: string}>} */
export async function fetchCredentials(api, username) {
	const {api_key: key, email} = await api.post('dev_fetch_api_key', {username});
	return {email, key};
}
