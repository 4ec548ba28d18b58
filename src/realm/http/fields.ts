// The parameters of one request as they stand on the wire: form body first, then query string.

import type {Context} from 'koa';
import {badRequest} from '../errors.js';

export interface Fields {
	/** The last value given under a name. */
	get(name: string): string | undefined;
	readonly names: ReadonlySet<string>;
}

/** A JSON body is not read: its values count as missing. */
export async function readFields(ctx: Context): Promise<Fields> {
	const query = new URLSearchParams(ctx.querystring);
	const body = await readForm(ctx);

	return {
		get: name => body.get(name) ?? query.getAll(name).at(-1),
		names: new Set([...body.keys(), ...query.keys()]),
	};
}

async function readForm(ctx: Context): Promise<Map<string, string>> {
	const {body} = ctx.request;
	if (typeof body !== 'string' || body === '') {
		return new Map();
	}

	if (ctx.is('multipart/form-data')) {
		const form = await readMultipart(body, ctx.get('content-type'));
		return new Map([...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])));
	}

	return new Map(new URLSearchParams(body));
}

async function readMultipart(body: string, contentType: string): Promise<FormData> {
	try {
		return await new Response(body, {headers: {'content-type': contentType}}).formData();
	} catch {
		throw badRequest('Malformed request');
	}
}
