import type {Context, Next} from 'koa';
import {RealmError} from '../errors.js';

/** Refuses other host names. A web page can make its own name point here, but cannot change the Host header. */
export function checkLoopbackHost(ctx: Context): void {
	const name = ctx.get('host').replace(/:\d+$/, '').toLowerCase();
	if (!['127.0.0.1', 'localhost', '[::1]'].includes(name)) {
		throw new RealmError(
			'Expected the Host header to be 127.0.0.1, localhost or [::1]: this is for development on one machine',
			'BAD_REQUEST',
			403,
		);
	}
}

export async function onlyLoopback(ctx: Context, next: Next): Promise<void> {
	checkLoopbackHost(ctx);
	await next();
}
