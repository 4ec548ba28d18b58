// Calls to the realm's API. The page uses nothing else.

/** The realm refused the call; `message` is its reason. */
export class ApiError extends Error {
	constructor({status, body}) {
		super(body?.msg || `The realm answered with status ${status}`);
		this.name = 'ApiError';
		this.status = status;
		this.code = body?.code;
	}
}

/** There was no answer. */
export class NetworkError extends Error {
	constructor(cause) {
		super('The realm does not answer', {cause});
		this.name = 'NetworkError';
	}
}

/**
 * Without credentials, only operations without login work.
 * @param {{email: string, key: string}} [credentials]
 */
export function createApi(credentials) {
	/** @type {Record<string, string>} */
	const headers = credentials ? {Authorization: `Basic ${btoa(`${credentials.email}:${credentials.key}`)}`} : {};

	/** @param {RequestInit} [options] */
	async function call(method, path, parameters = {}, options = {}) {
		const url = new URL(`/api/v1/${path}`, location.origin);
		const form = parameters instanceof FormData ? parameters : encode(parameters);
		const hasBody = method === 'POST' || method === 'PATCH';
		if (!hasBody) {
			url.search = String(form);
		}

		let response;
		let body;
		try {
			// `omit` prevents the browser's login dialog; our own header is still sent.
			const request = {method, headers, body: hasBody ? form : null, ...options};
			response = await fetch(url, {...request, credentials: 'omit'});
			body = parse(await response.text());
		} catch (cause) {
			throw new NetworkError(cause);
		}

		if (!response.ok || body?.result !== 'success') {
			throw new ApiError({status: response.status, body});
		}

		return body;
	}

	return {
		get: (path, parameters, options) => call('GET', path, parameters, options),
		/** Takes `FormData` for files, too. */
		post: (path, parameters, options) => call('POST', path, parameters, options),
		patch: (path, parameters, options) => call('PATCH', path, parameters, options),
		delete: (path, parameters, options) => call('DELETE', path, parameters, options),
	};
}

/** Strings are sent as they are, other values as JSON. Undefined values are omitted. */
function encode(parameters) {
	const present = Object.entries(parameters).filter(([, value]) => value !== undefined);
	return new URLSearchParams(
		present.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
	);
}

function parse(text) {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
