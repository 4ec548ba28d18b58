// The console's Koa app: its page, the sign-in, and the API behind it.

import Koa, {type Context} from 'koa';
import bodyParser from 'koa-bodyparser';
import type {Log} from '../log.js';
import {protection, servePage} from '../page-files/serve-page.js';
import type {RedisConnection} from '../redis/connection.js';
import {type ApiParts, createApi, type Handler} from './api.js';
import {type Outage, troubleOf} from './outage.js';
import {ConsoleError, checkHost, checkOrigin, type PublicHost} from './refuse.js';
import {createSessions, type Session} from './session.js';
import {createSignIn} from './sign-in.js';

/** This file runs as dist/src/console/server.js; the page's files stay in src/. */
const PAGE = new URL('../../../src/console/page/', import.meta.url);

const MOST_BODY = '16kb';

export interface ConsoleOptions extends ApiParts {
	readonly redis: RedisConnection;
	/** What operators sign in with. */
	readonly token: string;
	/** The URL at which people open the console; empty without a proxy. */
	readonly url: string;
	readonly outage: Outage;
	readonly log: Pick<Log, 'warn' | 'error'>;
}

export function createConsole({redis, token, url, outage, log, ...parts}: ConsoleOptions): Koa {
	const publicHost: PublicHost = url === '' ? undefined : new URL(url).host;
	const sessions = createSessions(redis, token);
	const {readSession, signIn, signOut} = createSignIn({
		...{sessions, log, audit: parts.audit},
		isSecure: url.startsWith('https:'),
	});
	/** By method and path. */
	const open: Handlers = {'POST /api/sign-in': signIn, 'POST /api/sign-out': signOut};
	const handlers: Handlers = {
		...createApi(parts),
		async 'GET /api/session'(_: Context, {who, until}: Session) {
			return {who, until};
		},
	};
	const protect = protection();
	// A proxy adds the address of its client at the end. The client may have written everything before it.
	const app = new Koa({proxy: url !== '', maxIpsCount: 1});
	app.on('error', () => {});
	app.use(async (ctx, next) => {
		await protect(ctx);
		ctx.set('Cache-Control', 'no-store');
		try {
			checkHost(ctx, publicHost);
			await next();
		} catch (error) {
			answerError(ctx, error, {outage, log});
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
		const session = open[path] ? NOBODY : await readSession(ctx);
		if (!session) {
			throw new ConsoleError(401, 'Sign in first.');
		}

		const handler = open[path] ?? handlers[path];
		if (!handler) {
			throw new ConsoleError(404, 'There is nothing here.');
		}

		ctx.body = await handler(ctx, session);
		if (session !== NOBODY) {
			// Redis knew the session.
			outage.end();
		}
	});
	return app;
}

type Handlers = Readonly<Record<string, Handler>>;

/** For paths that need no session. */
const NOBODY: Session = {who: '', until: 0, nonce: ''};

function answerError(ctx: Context, error: unknown, {outage, log}: Pick<ConsoleOptions, 'outage' | 'log'>): void {
	if (error instanceof ConsoleError) {
		ctx.status = error.status;
		ctx.body = {error: error.message};
		return;
	}

	const trouble = troubleOf(error);
	if (trouble) {
		if (trouble.kind === 'away') {
			outage.begin();
		}

		// The connection logs that Redis is away, once.
		ctx.status = 503;
		ctx.body = {error: trouble.text, awaySince: trouble.kind === 'away' ? outage.since : undefined};
		return;
	}

	// Koa's own errors have a status below 500: a broken body, for example.
	const status = error instanceof Error && 'status' in error ? Number(error.status) : 500;
	if (status < 500) {
		ctx.status = status;
		ctx.body = {error: 'This request cannot be read.'};
		return;
	}

	log.error({err: error}, 'the console failed');
	ctx.status = 500;
	ctx.body = {error: 'The console failed. Its log says why.'};
}
