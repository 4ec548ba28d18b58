// Makes a route of every operation in the table. What all calls have in common is here, in the service's order of work
// (service-facts.md 7.1).

import Router from '@koa/router';
import type {Context, Middleware} from 'koa';
import bodyParser from 'koa-bodyparser';
import {z} from 'zod';
import {type Operation, type OperationName, operations, pathParameters} from '../api/index.js';
import {RealmError} from './errors.js';
import {authenticate} from './http/basic-auth.js';
import {answerError, answerJson, answerSuccess, envelope} from './http/envelope.js';
import {type Fields, readFields} from './http/fields.js';
import {checkBotKind, checkCaller} from './http/guards.js';
import type {Handler} from './http/handler.js';
import {checkLoopbackHost} from './http/loopback.js';
import {decodeParameters, unsupportedNames} from './http/parameters.js';
import type {RateLimit} from './http/rate-limit.js';
import {clientName} from './messages/clients.js';
import type {Account} from './people/accounts.js';
import type {Services} from './services.js';
import {causeTrouble} from './trouble/cause.js';

const PREFIX = '/api/v1';
const FIRST_LEVEL_THAT_NAMES_UNSUPPORTED = 167;

export type Handlers = {readonly [N in OperationName]: Handler<N>};

export interface ApiOptions {
	readonly services: Services;
	readonly handlers: Handlers;
	/** Absent: calls are not counted. */
	readonly limits?: {readonly calls: RateLimit; readonly events: RateLimit};
}

/** Everything below `/api/v1`. */
export function apiRoutes(options: ApiOptions): Middleware {
	const router = new Router({prefix: PREFIX});
	for (const operation of Object.values<Operation>(operations)) {
		if ((operation.since ?? 0) <= options.services.featureLevel) {
			addRoute(router, operation, options);
		}
	}

	const handleErrors = envelope(options.services.log);
	const parseBody = bodyParser({
		enableTypes: ['text'],
		extendTypes: {text: ['application/x-www-form-urlencoded', 'multipart/form-data']},
		textLimit: '10mb',
	});
	const dispatch = router.routes() as unknown as Middleware;

	return async function api(ctx, next) {
		if (!ctx.path.startsWith(`${PREFIX}/`)) {
			return next();
		}

		const startMs = performance.now();
		await handleErrors(ctx, async () => {
			await parseBody(ctx, async () => {
				ctx.state.fields = await readFields(ctx);
				overrideMethod(ctx);
				await dispatch(ctx, async () => answerUnrouted(ctx));
			});
		});
		const {operation, account} = ctx.state;
		const ms = Math.round(performance.now() - startMs);
		options.services.log({event: 'request', operation, account, method: ctx.method, status: ctx.status, ms});
	};
}

/** A form field `method` in a POST replaces the HTTP method. */
function overrideMethod(ctx: Context): void {
	const method = ctx.method === 'POST' ? fieldsOf(ctx).get('method') : undefined;
	if (method !== undefined) {
		ctx.method = method.toUpperCase();
	}
}

/** No route took it: an unknown path, or a method that the path does not know. */
function answerUnrouted(ctx: Context): void {
	const layers: ReadonlyArray<{methods: string[]}> = ctx.matched ?? [];
	const methods = [...new Set(layers.flatMap(layer => layer.methods))].sort();
	if (methods.length === 0 || ctx.state.isNotFound) {
		answerError(ctx, new RealmError('Not found', 'BAD_REQUEST', 404));
		return;
	}

	ctx.set('Allow', methods.join(', '));
	if (ctx.method === 'OPTIONS') {
		ctx.status = 204;
		return;
	}

	answerJson(ctx, 405, {result: 'error', msg: 'Method Not Allowed', allowed_methods: methods});
}

function addRoute(router: Router, operation: Operation, options: ApiOptions): void {
	const handler = options.handlers[operation.name as OperationName];
	const path = operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
	const integers = pathParameters(operation.path).filter(name => isInteger(operation, name));
	router.register(path, [operation.method], async (ctx, next) => {
		if (integers.some(name => !/^\d+$/.test(ctx.params[name] ?? ''))) {
			ctx.state.isNotFound = true;
			return next();
		}

		ctx.state.isNotFound = false;
		await answerCall(ctx as unknown as Context, {operation, handler, path: ctx.params, ...options});
	});
}

function isInteger(operation: Operation, name: string): boolean {
	return operation.parameters[name]?.schema instanceof z.ZodNumber;
}

interface Route extends ApiOptions {
	readonly operation: Operation;
	readonly handler: Handler;
	readonly path: Record<string, string>;
}

async function answerCall(ctx: Context, route: Route): Promise<void> {
	const {operation, services, handler} = route;
	ctx.state.operation = operation.name;
	const caller = authenticateCaller(ctx, route);
	if (caller === 'redirected') {
		return;
	}

	ctx.state.account = caller?.email;
	await causeTrouble(ctx, services.trouble.takeCall(handler.operation, caller?.email), async () => {
		if (caller) {
			countCall(ctx, caller, route);
			checkCaller(caller, operation);
		}

		await run(ctx, route, caller);
	});
}

async function run(ctx: Context, {operation, services, handler, path}: Route, caller: Account | undefined) {
	const fields = fieldsOf(ctx);
	const {featureLevel} = services;
	const decoding = {operation, fields, path, featureLevel, raw: handler.raw};
	const parameters = decodeParameters(decoding);
	const gone = new AbortController();
	ctx.res.once('close', () => gone.abort());
	const client = fields.get('client')?.slice(0, 30) ?? clientName(ctx.get('user-agent'));
	const result = await handler.answer({services, caller, parameters, client, gone: gone.signal});

	const unsupported = featureLevel >= FIRST_LEVEL_THAT_NAMES_UNSUPPORTED ? unsupportedNames(decoding) : [];
	answerSuccess(ctx, {...result, ...(unsupported.length > 0 && {ignored_parameters_unsupported: unsupported})});
}

/** Whoever calls; nobody where no login is needed. */
function authenticateCaller(ctx: Context, {operation, services}: Route): Account | undefined | 'redirected' {
	if (operation.callers === 'anyone') {
		if (operation.path.startsWith('/dev_')) {
			checkLoopbackHost(ctx);
		}

		return undefined;
	}

	const authorization = ctx.get('authorization');
	if (authorization === '' && ctx.accepts('json', 'html') === 'html') {
		ctx.redirect('/');
		return 'redirected';
	}

	const caller = authenticate(services.store, authorization);
	checkBotKind(caller, operation);
	return caller;
}

function countCall(ctx: Context, caller: Account, {operation, limits}: Route): void {
	const limit = operation.path === '/events' ? limits?.events : limits?.calls;
	const allowance = limit?.count(caller.id);
	if (!allowance) {
		return;
	}

	ctx.set('X-RateLimit-Limit', String(allowance.limit));
	ctx.set('X-RateLimit-Remaining', String(allowance.remaining));
	ctx.set('X-RateLimit-Reset', String(allowance.reset));
	if (allowance.retryAfter !== undefined) {
		throw rateLimited(ctx, allowance.retryAfter);
	}
}

function rateLimited(ctx: Context, seconds: number): RealmError {
	ctx.set('Retry-After', String(seconds));
	return new RealmError('API usage exceeded rate limit', 'RATE_LIMIT_HIT', 429, {'retry-after': seconds});
}

function fieldsOf(ctx: Context): Fields {
	return ctx.state.fields as Fields;
}
