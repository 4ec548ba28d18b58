// The parameters of a request as text: from the form body first, then from the query string.

import type {Context} from 'koa';
import {badRequest, RealmError} from '../errors.js';
import {MAX_UPLOAD_BYTES, uploadTooLarge} from '../uploads/limits.js';

export interface Fields {
	/** The last value of a name. */
	get(name: string): string | undefined;
	readonly names: ReadonlySet<string>;
	/** Files of a multipart form by their field names. The last one wins. */
	readonly files: readonly File[];
}

/** A JSON body is ignored, so its values count as missing. */
export async function readFields(ctx: Context): Promise<Fields> {
	const query = new URLSearchParams(ctx.querystring);
	const body = await readForm(ctx);
	const texts = new Map(body.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])));

	return {
		get: name => texts.get(name) ?? query.getAll(name).at(-1),
		names: new Set([...texts.keys(), ...query.keys()]),
		files: [...new Map(body.flatMap(([name, value]) => (typeof value === 'string' ? [] : [[name, value]]))).values()],
	};
}

/** A GET has no form: the service does not look at its body. */
async function readForm(ctx: Context): Promise<Array<[name: string, value: string | File]>> {
	if (ctx.method === 'GET' || ctx.method === 'HEAD') {
		return [];
	}

	if (ctx.is('multipart/form-data')) {
		return [...(await readMultipart(ctx))];
	}

	const {body} = ctx.request;
	return typeof body === 'string' ? [...new URLSearchParams(body)] : [];
}

/** Room for the parts of the form around a file. */
const MULTIPART_BYTES = MAX_UPLOAD_BYTES + 64 * 1024;

/** Reads the body to the end in any case, because a client that is still writing does not read the answer. */
async function readBytes(ctx: Context): Promise<Buffer> {
	const chunks: Buffer[] = [];
	let length = 0;
	for await (const chunk of ctx.req) {
		length += chunk.length;
		if (length <= MULTIPART_BYTES) {
			chunks.push(chunk);
		}
	}

	if (length > MULTIPART_BYTES) {
		throw uploadTooLarge();
	}

	return Buffer.concat(chunks);
}

/** Throws if the body is not a form, or is cut off. */
async function readMultipart(ctx: Context): Promise<FormData> {
	try {
		const headers = {'content-type': ctx.get('content-type')};
		return await new Response(await readBytes(ctx), {headers}).formData();
	} catch (error) {
		throw error instanceof RealmError ? error : badRequest('Malformed request');
	}
}
