// The routes by which operators sign in and out.

import {isIP} from 'node:net';
import type {Context} from 'koa';
import {z} from '../api/zod.js';
import type {Log} from '../log.js';
import {createAttempts} from './attempts.js';
import type {Audit} from './audit.js';
import {ConsoleError} from './refuse.js';
import {SESSION_MS, type Sessions} from './session.js';

const SignIn = z.strictObject({
	token: z.string().max(1_000),
	/** For the audit log. */
	who: z.string().trim().min(1).max(50),
});

interface SignInParts {
	readonly sessions: Sessions;
	readonly audit: Audit;
	readonly log: Pick<Log, 'warn'>;
	/** Whether browsers reach the console by https. */
	readonly isSecure: boolean;
}

/** Behind a proxy, what the proxy says. A client can send anything. */
export function addressOf({ip, req}: Context): string {
	return isIP(ip) === 0 ? (req.socket.remoteAddress ?? '') : ip;
}

export function createSignIn({sessions, isSecure, audit, log}: SignInParts) {
	const attempts = createAttempts();
	// A browser takes a cookie with this prefix only from this host and by https.
	const name = `${isSecure ? '__Host-' : ''}${sessions.cookieName}`;
	const cookie = {httpOnly: true, sameSite: 'strict', path: '/', overwrite: true, secure: isSecure} as const;

	/** Behind a proxy with https, Koa does not see it. */
	function setCookie(ctx: Context, value: string | null): void {
		ctx.cookies.secure = isSecure;
		ctx.cookies.set(name, value, {...cookie, maxAge: value === null ? 0 : SESSION_MS});
	}

	const cookieOf = (ctx: Context) => ctx.cookies.get(name) ?? '';

	return {
		readSession: (ctx: Context) => sessions.read(cookieOf(ctx)),
		async signIn(ctx: Context) {
			const from = addressOf(ctx);
			const wait = attempts.waitSeconds(from);
			if (wait > 0) {
				ctx.set('Retry-After', String(wait));
				throw new ConsoleError(429, `Too many wrong tokens. Try again in ${Math.ceil(wait / 60)} min.`);
			}

			const {data} = SignIn.safeParse(ctx.request.body);
			if (!data) {
				throw new ConsoleError(400, 'Expected your name, with at most 50 characters, and the token.');
			}

			if (!sessions.isToken(data.token)) {
				attempts.failed(from);
				log.warn({from}, 'somebody tried to sign in to the console with a wrong token');
				throw new ConsoleError(401, 'This is not the token in ADMIN_TOKEN.');
			}

			await audit.write({who: data.who, from, what: 'sign in', about: '', outcome: 'signed in'});
			setCookie(ctx, sessions.begin(data.who));
			return {who: data.who};
		},
		/** The browser forgets the session even if Redis cannot be reached. */
		async signOut(ctx: Context) {
			const value = cookieOf(ctx);
			setCookie(ctx, null);
			const ended = await sessions.end(value);
			if (ended) {
				await audit.write({who: ended.who, from: addressOf(ctx), what: 'sign out', about: '', outcome: 'signed out'});
			}

			return {};
		},
	};
}
