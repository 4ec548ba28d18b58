// Refuses requests that another site or another name caused.

import {isIP} from 'node:net';
import type {Context} from 'koa';

/** An answer other than 200; its message is for the operator. */
export class ConsoleError extends Error {
	override name = 'ConsoleError' as const;

	constructor(
		readonly status: number,
		message: string,
	) {
		super(message);
	}
}

/** The host of CONSOLE_URL, if a proxy serves the console. */
export type PublicHost = string | undefined;

/** A web page can make its own name point here, but cannot change the Host header. It cannot do so with an address. */
export function checkHost(ctx: Context, publicHost: PublicHost): void {
	const host = ctx.get('host').toLowerCase();
	const name = host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
	if (name !== 'localhost' && isIP(name) === 0 && host !== publicHost) {
		throw new ConsoleError(
			421,
			'Expected the Host header to be an address, localhost, or the host of CONSOLE_URL. Set CONSOLE_URL to the URL at which you open this page.',
		);
	}
}

/** Browsers send an Origin with each POST, and no page can forge it. */
export function checkOrigin(ctx: Context, publicHost: PublicHost): void {
	const origin = ctx.get('origin');
	const host = URL.canParse(origin) ? new URL(origin).host : '';
	if (host === '' || (host !== ctx.get('host').toLowerCase() && host !== publicHost)) {
		throw new ConsoleError(
			403,
			'Expected a request of the console itself: its Origin header names another site, or is missing.',
		);
	}
}
