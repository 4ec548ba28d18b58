// Serves a page: a document, one script, one stylesheet and an icon, nothing from another origin.

import {createHash} from 'node:crypto';
import {readFile} from 'node:fs/promises';
import path from 'node:path';
import helmet from 'helmet';
import type {Context, Middleware} from 'koa';
import {bundlePage} from './bundle.js';
import {compressAnswer} from './compress.js';

interface PageOptions {
	/** The page's files, in src/: they are no part of the build. */
	readonly folder: URL;
	/** Throws an error if this request may not have the page. */
	check?(ctx: Context): void;
	/** Whether the page may show itself in a frame. Default: nobody may frame it. */
	readonly framesItself?: boolean;
}

/** Serves `GET /` and `GET /page/…`. Passes other requests on. */
export function servePage({folder, check, framesItself = false}: PageOptions): Middleware {
	const framedBy = framesItself ? "'self'" : "'none'";

	async function read(name: string): Promise<string | undefined> {
		if (name === 'index.html' || name === 'icon.svg') {
			return await readFile(new URL(name, folder), 'utf8');
		}

		return name === 'app.js' || name === 'app.css' ? (await bundlePage(folder)).get(name) : undefined;
	}

	return async function servePage(ctx, next) {
		if (!['GET', 'HEAD'].includes(ctx.method) || !(ctx.path === '/' || ctx.path.startsWith('/page/'))) {
			return next();
		}

		check?.(ctx);
		const name = ctx.path === '/' ? 'index.html' : ctx.path.slice('/page/'.length);
		const text = ctx.path === '/page/index.html' ? undefined : await read(name);
		await protection({framedBy, scripts: name === 'index.html' ? inlineScripts(text) : []})(ctx);
		if (text === undefined) {
			return ctx.throw(404);
		}

		await compressAnswer(ctx, async () => answer(ctx, {type: path.extname(name), text}));
	};
}

/** The scripts in the document, as the policy names them: by hash. */
function inlineScripts(document = ''): string[] {
	const scripts = [...document.matchAll(/<script>(.*?)<\/script>/gs)];
	return scripts.map(([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
}

/** The browser asks on every load, and gets a 304 if nothing has changed. So edits are visible after a reload. */
function answer(ctx: Context, {type, text}: {type: string; text: string}): void {
	ctx.type = type;
	ctx.etag = createHash('sha256').update(text).digest('base64url');
	ctx.set('Cache-Control', 'no-cache');
	ctx.vary('Accept-Encoding');
	ctx.status = 200;
	if (ctx.fresh) {
		ctx.status = 304;
	} else {
		ctx.body = text;
	}
}

interface Protection {
	/** The source that may frame the page, and that the page may frame. Default: none. */
	readonly framedBy?: string;
	/** Hashes of the scripts in the document. */
	readonly scripts?: readonly string[];
}

/** Messages come from other people, so the page may run only its own scripts. */
export function protection({framedBy = "'none'", scripts = []}: Protection = {}): (ctx: Context) => Promise<void> {
	const setHeaders = helmet({
		contentSecurityPolicy: {
			useDefaults: false,
			directives: {
				defaultSrc: ["'none'"],
				scriptSrc: ["'self'", ...scripts],
				styleSrc: ["'self'"],
				imgSrc: ["'self'", 'data:'],
				mediaSrc: ["'self'"],
				connectSrc: ["'self'"],
				baseUri: ["'none'"],
				formAction: ["'none'"],
				// Two people side by side.
				frameSrc: [framedBy],
				frameAncestors: [framedBy],
			},
		},
		// Plain HTTP is fine on loopback.
		strictTransportSecurity: false,
	});

	return ctx =>
		new Promise((resolve, reject) => {
			setHeaders(ctx.req, ctx.res, error => (error ? reject(error) : resolve()));
		});
}
