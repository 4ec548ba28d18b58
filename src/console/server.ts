// The console's Koa app: its page, the sign-in, and the API behind it.

import Koa, {type Context} from 'koa';
import bodyParser from 'koa-bodyparser';
import {z} from '../api/zod.js';
import {protection, servePage} from '../page-files/serve-page.js';
import type {RedisConnection} from '../redis/connection.js';
import {type ApiParts, createApi, type Handler} from './api.js';
import {createAttempts} from './attempts.js';
import {ConsoleError, checkHost, checkOrigin, type PublicHost} from './refuse.js';
import {createSessions, SESSION_MS, type Session, type Sessions} from './session.js';

/** This file runs as dist/src/console/server.js; the page's files stay in src/. */
const PAGE = new URL('../../../src/console/page/', import.meta.url);

const COOKIE = 'bothy_console';

const MOST_BODY = '16kb';

export interface ConsoleOptions extends ApiParts {
	readonly redis: RedisConnection;
	/** What operators sign in with. */
	readonly token: string;
	/** The URL at which people open the console; empty without a proxy. */
	readonly url: string;
	report(error: Error): void;
	/** Milliseconds since 1970. */
	now?(): number;
}

export function createConsole({redis, token, url, report, now, ...parts}: ConsoleOptions): Koa {
	const publicHost: PublicHost = url === '' ? undefined : new URL(url).host;
	const sessions = createSessions(redis, token, now);
	const handlers: Handlers = {
		...createApi(parts),
		...createSignIn({sessions, isSecure: url.startsWith('https:'), ...parts}),
	};
	const protect = protection();
	const app = new Koa();
	app.on('error', () => {});
	app.use(async (ctx, next) => {
		await protect(ctx);
		ctx.set('Cache-Control', 'no-store');
		try {
			checkHost(ctx, publicHost);
			await next();
		} catch (error) {
			answerError(ctx, error, report);
		}
	});
	app.use(servePage({folder: PAGE}));
	app.use(async (ctx, next) => {
		if (ctx.method !== 'GET') {
			checkOrigin(ctx, publicHost);
		}

		await next();
	});
	app.use(bodyParser({enableTypes: ['json'], jsonLimit: MOST_BODY, strict: true}));
	app.use(async ctx => {
		const path = `${ctx.method} ${ctx.path}`;
		const session = await sessions.read(ctx.cookies.get(COOKIE) ?? '');
		const open = OPEN.has(path) ? handlers[path] : undefined;
		if (open) {
			ctx.body = await open(ctx, session ?? NOBODY);
			return;
		}

		if (!session) {
			throw new ConsoleError(401, 'Sign in first.');
		}

		const handler = handlers[path];
		if (!handler) {
			throw new ConsoleError(404, 'There is nothing here.');
		}

		ctx.body = await handler(ctx, session);
	});
	return app;
}

/** By method and path. */
type Handlers = Readonly<Record<string, Handler>>;

/** Paths that need no session. */
const OPEN: ReadonlySet<string> = new Set(['POST /api/sign-in']);

const NOBODY: Session = {who: '', until: 0, nonce: ''};

const SignIn = z.strictObject({
	token: z.string().max(1_000),
	/** For the audit log. */
	who: z.string().trim().min(1).max(50),
});

interface SignInParts extends Pick<ApiParts, 'audit'> {
	readonly sessions: Sessions;
	/** Whether browsers reach the console by https. */
	readonly isSecure: boolean;
}

function createSignIn({sessions, isSecure, audit}: SignInParts): Handlers {
	const attempts = createAttempts();
	const cookie = {httpOnly: true, sameSite: 'strict', path: '/', overwrite: true} as const;

	/** Behind a proxy with https, Koa does not see it. */
	function setCookie(ctx: Context, value: string | null): void {
		ctx.cookies.secure = isSecure;
		ctx.cookies.set(COOKIE, value, {...cookie, secure: isSecure, maxAge: value === null ? 0 : SESSION_MS});
	}

	return {
		async 'POST /api/sign-in'(ctx: Context) {
			const wait = attempts.waitSeconds(ctx.ip);
			if (wait > 0) {
				ctx.set('Retry-After', String(wait));
				throw new ConsoleError(429, `Too many wrong tokens. Try again in ${Math.ceil(wait / 60)} min.`);
			}

			const {data} = SignIn.safeParse(ctx.request.body);
			if (!data) {
				throw new ConsoleError(400, 'Expected your name and the token.');
			}

			if (!sessions.isToken(data.token)) {
				attempts.failed(ctx.ip);
				throw new ConsoleError(401, 'This is not the token in ADMIN_TOKEN.');
			}

			setCookie(ctx, sessions.begin(data.who));
			await audit.write({who: data.who, from: ctx.ip, what: 'sign in', about: '', outcome: 'signed in'});
			return {who: data.who};
		},
		async 'POST /api/sign-out'(ctx: Context, session: Session) {
			await sessions.end(session);
			setCookie(ctx, null);
			return {};
		},
		async 'GET /api/session'(_: Context, {who, until}: Session) {
			return {who, until};
		},
	};
}

function answerError(ctx: Context, error: unknown, report: ConsoleOptions['report']): void {
	if (error instanceof ConsoleError) {
		ctx.status = error.status;
		ctx.body = {error: error.message};
		return;
	}

	// Koa's own errors have a status below 500: a broken body, for example.
	const status = error instanceof Error && 'status' in error ? Number(error.status) : 500;
	if (status < 500) {
		ctx.status = status;
		ctx.body = {error: 'This request cannot be read.'};
		return;
	}

	report(error as Error);
	ctx.status = 503;
	ctx.body = {error: 'Redis does not answer, or the console failed. See its log; `bothy doctor` checks Redis.'};
}
