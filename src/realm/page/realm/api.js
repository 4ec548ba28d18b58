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

/** Without credentials, only operations without login work. */
export function createApi(credentials) {
	const headers = credentials ? {Authorization: `Basic ${btoa(`${credentials.email}:${credentials.key}`)}`} : {};

	async function call(method, path, parameters = {}, {signal, keepalive} = {}) {
		const form = encode(parameters);
		const url = new URL(`/api/v1/${path}`, location.origin);
		const isPost = method === 'POST';
		if (!isPost) {
			url.search = form;
		}

		let response;
		let body;
		try {
			// `omit` prevents the browser's login dialog; our own header is still sent.
			response = await fetch(url, {
				method,
				headers,
				credentials: 'omit',
				signal,
				keepalive,
				body: isPost ? form : null,
			});
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
		post: (path, parameters, options) => call('POST', path, parameters, options),
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
