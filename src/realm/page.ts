// Serves the chat page: plain files, no build step, nothing from another origin.

import {createHash} from 'node:crypto';
import {readFile} from 'node:fs/promises';
import {extname} from 'node:path';
import helmet from 'helmet';
import type {Context, Middleware} from 'koa';
import {checkLoopbackHost} from './http/loopback.js';

// This file runs as dist/src/realm/page.js; the page's files stay in src/.
const folder = new URL('../../../src/realm/page/', import.meta.url);

const modules = ['preact', 'preact/hooks', 'htm', 'htm/preact'];

/** Serves `GET /` and `GET /page/…`. Passes other requests on. */
export function servePage(): Middleware {
	const vendored = new Map(modules.map(name => [vendorPath(name), name]));
	const importMap = JSON.stringify({imports: Object.fromEntries(modules.map(name => [name, vendorPath(name)]))});
	const protect = protection(importMap);

	return async function servePage(ctx, next) {
		if (!['GET', 'HEAD'].includes(ctx.method) || !(ctx.path === '/' || ctx.path.startsWith('/page/'))) {
			return next();
		}

		checkLoopbackHost(ctx);
		await protect(ctx);
		if (ctx.path === '/') {
			const html = await readFile(new URL('index.html', folder), 'utf8');
			return answer(ctx, {
				type: 'html',
				body: html.replace('<!-- import map -->', () => `<script type="importmap">${importMap}</script>`),
			});
		}

		const name = vendored.get(ctx.path);
		// Only when somebody opens the page: a loader that runs tests as CommonJS cannot resolve modules.
		const file = name === undefined ? ownFile(ctx.path) : import.meta.resolve(name);
		const body = file && (await readIfPresent(file));
		if (body === undefined) {
			return ctx.throw(404);
		}

		answer(ctx, {type: extname(ctx.path), body});
	};
}

function vendorPath(name: string): string {
	return `/page/vendor/${name.replace('/', '-')}.js`;
}

/** The files are in one flat folder, so a name with a slash, or with a dot before its extension, is refused. */
function ownFile(path: string): string | undefined {
	const [, name] = /^\/page\/([a-z-]+\.(?:css|js|svg))$/.exec(path) ?? [];
	return name && new URL(name, folder).href;
}

async function readIfPresent(url: string): Promise<string | undefined> {
	try {
		return await readFile(new URL(url), 'utf8');
	} catch {
		return undefined;
	}
}

/** The browser asks on every load, and gets a 304 if nothing has changed. So edits are visible after a reload. */
function answer(ctx: Context, {type, body}: {type: string; body: string}): void {
	ctx.type = type;
	ctx.body = body;
	ctx.etag = createHash('sha256').update(body).digest('base64url');
	ctx.set('Cache-Control', 'no-cache');
	if (ctx.fresh) {
		ctx.status = 304;
	}
}

/** Messages are HTML from other people, so the page may run only its own scripts and the import map. */
function protection(importMap: string): (ctx: Context) => Promise<void> {
	const hash = createHash('sha256').update(importMap).digest('base64');
	const setHeaders = helmet({
		contentSecurityPolicy: {
			useDefaults: false,
			directives: {
				defaultSrc: ["'none'"],
				scriptSrc: ["'self'", `'sha256-${hash}'`],
				styleSrc: ["'self'"],
				imgSrc: ["'self'", 'data:'],
				connectSrc: ["'self'"],
				baseUri: ["'none'"],
				formAction: ["'none'"],
				frameAncestors: ["'none'"],
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
