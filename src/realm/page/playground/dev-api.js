// Calls to the realm's API for development (docs/realm.md). It needs no login.

async function call(method, path, body) {
	const headers = body ? {'content-type': 'application/json'} : {};
	const request = {method, headers, body: body && JSON.stringify(body), credentials: 'omit'};
	const response = await fetch(`/dev${path}`, /** @type {RequestInit} */ (request)).catch(() => {
		throw new Error('The realm does not answer');
	});
	const answer = await response.json();
	if (!response.ok) {
		throw new Error(answer.msg);
	}

	return answer;
}

export const dev = {
	get: path => call('GET', path),
	post: (path, body) => call('POST', path, body),
	delete: path => call('DELETE', path),
};
