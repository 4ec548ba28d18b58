// Serves uploaded files to whoever logs in and may read a message that shows them (service-facts.md 5).

import {extname} from 'node:path';
import type {Context, Middleware} from 'koa';
import {RealmError} from '../errors.js';
import {isBrowserWithoutLogin} from '../http/answer-call.js';
import {authenticate} from '../http/basic-auth.js';
import {envelope} from '../http/envelope.js';
import type {Services} from '../services.js';
import {bytesOf, findUpload, mayOpen} from './uploads.js';

const PREFIX = '/user_uploads/';

/** Types that a browser may show; everything else it saves. */
const shown =
	/^(?:image\/(?:png|jpeg|gif|webp|avif)|text\/plain|application\/pdf|audio\/[\w.-]+|video\/[\w.-]+)\s*(?:;|$)/;

/** Answers `GET /user_uploads/…`; everything else goes on. Files are not counted as calls. */
export function serveUploads(services: Services): Middleware {
	const handleErrors = envelope(services.log);

	return async function serveUploads(ctx, next) {
		if (!['GET', 'HEAD'].includes(ctx.method) || !ctx.path.startsWith(PREFIX)) {
			return next();
		}

		await handleErrors(ctx, async () => answer(services, ctx));
	};
}

function answer({store}: Services, ctx: Context): void {
	if (isBrowserWithoutLogin(ctx)) {
		ctx.redirect('/');
		return;
	}

	const caller = authenticate(store, ctx.get('authorization'));
	const upload = findUpload(store, readPath(ctx.path));
	if (!upload) {
		throw new RealmError('File not found.', 'BAD_REQUEST', 404);
	}

	if (!mayOpen(store, caller, upload)) {
		throw new RealmError('You are not authorized to view this file.', 'BAD_REQUEST', 403);
	}

	ctx.type = typeOf(upload);
	ctx.body = Buffer.from(bytesOf(store, upload));
	ctx.attachment(upload.name, {type: shown.test(ctx.type) ? 'inline' : 'attachment'});
	ctx.set('X-Content-Type-Options', 'nosniff');
	// The chat page has the same origin, and keys of its own.
	ctx.set('Content-Security-Policy', "default-src 'none'; sandbox");
}

function readPath(path: string): string {
	try {
		return decodeURIComponent(path.slice(PREFIX.length));
	} catch {
		return '';
	}
}

/** As it was uploaded; by its name where nobody said. What Koa does not know goes out as plain bytes. */
function typeOf({name, type}: {name: string; type: string}): string {
	const isSaid = /^[\w.+-]+\/[\w.+-]+(?:;[\x20-\x7e]*)?$/.test(type) && type !== 'application/octet-stream';
	return isSaid ? type : extname(name);
}
