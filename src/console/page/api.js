// Calls to the console's API. The page uses nothing else.

/** `message` says what went wrong; `status` is 0 if there was no answer. `awaySince` is set while Redis does not answer. */
export class CallError extends Error {
	constructor(status, message, awaySince) {
		super(message);
		this.status = status;
		this.awaySince = awaySince;
	}
}

/** The console gives up on Redis after two seconds. */
const READ_MS = 8_000;

/** A replay takes up to a minute, and waits up to a minute for others. */
const ACT_MS = 150_000;

/**
 * @param {string} method
 * @param {string} path
 * @param {{query?: Record<string, string>, body?: object}} how
 */
async function call(method, path, {query, body}) {
	const url = new URL(`/api/${path}`, location.origin);
	url.search = new URLSearchParams(query).toString();
	const signal = AbortSignal.timeout(body ? ACT_MS : READ_MS);
	let response;
	let answer;
	try {
		response = await fetch(url, {
			method,
			signal,
			...(body && {headers: {'content-type': 'application/json'}, body: JSON.stringify(body)}),
		});
		answer = await response.json();
	} catch {
		const found =
			response === undefined || signal.aborted ? 'does not answer' : `answered ${response.status} without data`;
		throw new CallError(0, `The console ${found}. Check that it runs, and check your tunnel or proxy.`);
	}

	if (!response.ok) {
		throw new CallError(
			response.status,
			answer.error ?? `The console answered with status ${response.status}.`,
			answer.awaySince,
		);
	}

	return answer;
}

export const api = {
	get: (path, query = {}) => call('GET', path, {query}),
	post: (path, body = {}) => call('POST', path, {body}),
};
