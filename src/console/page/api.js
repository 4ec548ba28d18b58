// Calls to the console's API. The page uses nothing else.

/** `message` says what went wrong; `status` is 0 if there was no answer. */
export class CallError extends Error {
	constructor(status, message) {
		super(message);
		this.status = status;
	}
}

/**
 * @param {string} method
 * @param {string} path
 * @param {{query?: Record<string, string>, body?: object}} how
 */
async function call(method, path, {query, body}) {
	const url = new URL(`/api/${path}`, location.origin);
	url.search = new URLSearchParams(query).toString();
	let response;
	try {
		response = await fetch(url, {
			method,
			...(body && {headers: {'content-type': 'application/json'}, body: JSON.stringify(body)}),
		});
	} catch {
		throw new CallError(0, 'The console does not answer. Is `bothy console` running?');
	}

	const answer = await response.json().catch(() => ({}));
	if (!response.ok) {
		throw new CallError(response.status, answer.error ?? `The console answered with status ${response.status}.`);
	}

	return answer;
}

export const api = {
	get: (path, query = {}) => call('GET', path, {query}),
	post: (path, body = {}) => call('POST', path, {body}),
};
