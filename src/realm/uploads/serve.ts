// Serves uploaded files to logged-in people who may read a message that contains them (service-facts.md 5).

import {createHmac, randomBytes, timingSafeEqual} from 'node:crypto';
import {basename, extname} from 'node:path';
import type {Context, Middleware} from 'koa';
import {badRequest, RealmError} from '../errors.js';
import {isBrowserWithoutLogin} from '../http/answer-call.js';
import {authenticate} from '../http/basic-auth.js';
import {envelope} from '../http/envelope.js';
import {findPicture, PICTURES} from '../reactions/custom-emoji.js';
import type {Services} from '../services.js';
import type {Store} from '../store/store.js';
import {bytesOf, findUpload, openUpload, type UploadRow} from './uploads.js';

const PREFIX = '/user_uploads/';
const TEMPORARY = 'temporary/';
const TEMPORARY_MS = 60_000;

/** Signs temporary URLs. */
const secret = randomBytes(32);

/** Types that a browser may show. It downloads all others. */
const shown =
	/^(?:image\/(?:png|jpeg|gif|webp|avif)|text\/plain|application\/pdf|audio\/[\w.-]+|video\/[\w.-]+)\s*(?:;|$)/;

/** Serves `GET /user_uploads/…` and pictures of emoji, and passes other requests on. No rate limit. */
export function serveUploads(services: Services): Middleware {
	const handleErrors = envelope(services.log);

	return async function serveUploads(ctx, next) {
		const isPicture = ctx.path.startsWith(PICTURES);
		if (!['GET', 'HEAD'].includes(ctx.method) || !(isPicture || ctx.path.startsWith(PREFIX))) {
			return next();
		}

		await handleErrors(ctx, async () => (isPicture ? answerPicture(services, ctx) : answer(services, ctx)));
	};
}

function answer(services: Services, ctx: Context): void {
	const {store} = services;
	const path = readPath(ctx.path);
	if (path.startsWith(TEMPORARY)) {
		send(ctx, store, readTemporary(services, path.slice(TEMPORARY.length)));
		return;
	}

	if (isBrowserWithoutLogin(ctx)) {
		ctx.redirect('/');
		return;
	}

	send(ctx, store, openUpload(store, authenticate(store, ctx.get('authorization')), path));
}

function send(ctx: Context, store: Store, upload: UploadRow): void {
	ctx.type = typeOf(upload);
	ctx.body = Buffer.from(bytesOf(store, upload));
	ctx.attachment(upload.name, {type: shown.test(ctx.type) ? 'inline' : 'attachment'});
	protect(ctx);
}

function protect(ctx: Context): void {
	ctx.set('X-Content-Type-Options', 'nosniff');
	// The chat page has the same origin, and its session has keys.
	ctx.set('Content-Security-Policy', "default-src 'none'; sandbox");
}

function answerPicture({store}: Services, ctx: Context): void {
	const picture = findPicture(store, ctx.path.slice(PICTURES.length));
	if (!picture) {
		throw new RealmError('File not found.', 'BAD_REQUEST', 404);
	}

	ctx.type = picture.type;
	ctx.body = Buffer.from(picture.bytes);
	protect(ctx);
}

/** Creates a URL that is readable without login for a minute. */
export function temporaryUrl({clock}: Services, {path}: UploadRow): string {
	const text = Buffer.from(`${clock.now() + TEMPORARY_MS} ${path}`).toString('base64url');
	return `${PREFIX}${TEMPORARY}${text}.${sign(text)}/${basename(path)}`;
}

function readTemporary({store, clock}: Services, rest: string): UploadRow {
	const [, text = '', signature = '', name = ''] = /^([\w-]+)\.([\w-]+)\/(.*)$/s.exec(rest) ?? [];
	const [until = '', path = ''] = Buffer.from(text, 'base64url').toString().split(' ');
	const isOurs = timingSafeEqual(Buffer.from(sign(text)), Buffer.from(signature.padEnd(43).slice(0, 43)));
	const upload = isOurs && clock.now() < Number(until) ? findUpload(store, path) : undefined;
	if (!upload) {
		throw badRequest('Invalid token');
	}

	if (name !== basename(path)) {
		throw badRequest('Invalid filename');
	}

	return upload;
}

function sign(text: string): string {
	return createHmac('sha256', secret).update(text).digest('base64url');
}

function readPath(path: string): string {
	try {
		return decodeURIComponent(path.slice(PREFIX.length));
	} catch {
		return '';
	}
}

/** The type from the upload, or by the file name. Unknown types are sent as plain bytes. */
function typeOf({name, type}: {name: string; type: string}): string {
	const isSaid = /^[\w.+-]+\/[\w.+-]+(?:;[\x20-\x7e]*)?$/.test(type) && type !== 'application/octet-stream';
	return isSaid ? type : extname(name);
}
