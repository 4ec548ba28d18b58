// Reads JSON bodies. The API itself has none; the routes for development do.

import type {Context, Middleware, Next} from 'koa';
import bodyParser from 'koa-bodyparser';
import {z} from '../../api/zod.js';
import {badRequest, RealmError} from '../errors.js';

/** Forms on any web page can send other content types. For this one, browsers first ask for permission. */
async function requireJson(ctx: Context, next: Next): Promise<void> {
	if (ctx.method === 'POST' && !ctx.is('application/json')) {
		throw new RealmError('Expected the content type application/json', 'BAD_REQUEST', 415);
	}

	await next();
}

export const jsonOnly: readonly Middleware[] = [requireJson, bodyParser({enableTypes: ['json']})];

export function read<Schema extends z.ZodType>(schema: Schema, ctx: Context): z.output<Schema> {
	const result = schema.safeParse(ctx.request.body);
	if (result.success) {
		return result.data;
	}

	throw badRequest(`This JSON body is not valid. ${z.prettifyError(result.error)}`);
}
