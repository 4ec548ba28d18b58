// Makes a route for each operation of the table.

import Router from '@koa/router';
import type {Context, Middleware} from 'koa';
import bodyParser from 'koa-bodyparser';
import {type Operation, type OperationName, operations, pathParameters} from '../api/index.js';
import {z} from '../api/zod.js';
import {RealmError} from './errors.js';
import {recordCall} from './exchanges/record-call.js';
import {answerCall, type Route} from './http/answer-call.js';
import {answerError, answerJson, envelope} from './http/envelope.js';
import {type Fields, readFields} from './http/fields.js';
import type {Handler} from './http/handler.js';
import type {RateLimit} from './http/rate-limit.js';
import type {Services} from './services.js';

const PREFIX = '/api/v1';

export type Handlers = {readonly [N in OperationName]: Handler<N>};

export interface ApiOptions {
	readonly services: Services;
	readonly handlers: Handlers;
	/** Absent: no rate limit. Event queues have their own. */
	readonly limits?: {readonly calls: RateLimit; readonly events: RateLimit};
}

/** Serves everything below `/api/v1`. */
export function apiRoutes(options: ApiOptions): Middleware {
	const {services} = options;
	const dispatch = makeRouter(options);
	const handleErrors = envelope(services.log);
	const parseBody = bodyParser({
		enableTypes: ['text'],
		extendTypes: {text: ['application/x-www-form-urlencoded']},
		textLimit: '10mb',
		onerror: refuseBody,
	});

	return async function api(ctx, next) {
		if (!ctx.path.startsWith(`${PREFIX}/`)) {
			return next();
		}

		const startMs = performance.now();
		await recordCall(services, ctx, () =>
			handleErrors(ctx, () =>
				parseBody(ctx, async () => {
					ctx.state.fields = await readFields(ctx);
					overrideMethod(ctx);
					await dispatch(ctx, async () => answerUnrouted(ctx));
				}),
			),
		);
		const {operation, account} = ctx.state;
		const ms = Math.round(performance.now() - startMs);
		services.log({event: 'request', operation, account, method: ctx.method, status: ctx.status, ms});
	};
}

/** Errors of the body reader: too large, cut off, or wrongly compressed. Only some of them have a status. */
function refuseBody({status = 400}: Error & {readonly status?: number}): never {
	throw new RealmError('Malformed request', 'BAD_REQUEST', status);
}

function makeRouter({services, handlers, limits}: ApiOptions): Middleware {
	const router = new Router({strict: true, sensitive: true});
	for (const operation of Object.values<Operation>(operations)) {
		if ((operation.since ?? 0) <= services.featureLevel) {
			const handler = handlers[operation.name as OperationName];
			const limit = operation.path === '/events' ? limits?.events : limits?.calls;
			addRoute(router, {operation, handler, services, limit});
		}
	}

	// At run time it is the same context; the router's type is narrower than Koa's.
	return router.routes() as unknown as Middleware;
}

function addRoute(router: Router, route: Route): void {
	const {operation} = route;
	const integers = pathParameters(operation.path).filter(name => isInteger(operation, name));
	// A prefix would make the router compile each path twice.
	const path = PREFIX + operation.path.replace(/\{filename\}$/, '*filename').replaceAll(/\{(\w+)\}/g, ':$1');
	router.register(path, [operation.method], async (ctx, next) => {
		if (path.includes(':') && isFixed(ctx.path)) {
			return next();
		}

		const isOther = integers.some(name => !/^\d+$/.test(ctx.params[name] ?? ''));
		ctx.state.isOtherPath = isOther;
		if (isOther) {
			return next();
		}

		await answerCall(route, {ctx: ctx as unknown as Context, fields: fieldsOf(ctx), path: ctx.params});
	});
}

const fixedPaths = new Set(Object.values(operations).map(({path}) => `${PREFIX}${path}`));

/** Whether an operation has exactly this path. Then no other operation takes it for a parameter. */
function isFixed(path: string): boolean {
	return fixedPaths.has(path);
}

/** An ID in a path must be a number. A word belongs to another path. */
function isInteger(operation: Operation, name: string): boolean {
	return operation.parameters[name]?.schema instanceof z.ZodNumber;
}

/** A form field `method` in a POST overrides the HTTP method. */
function overrideMethod(ctx: Context): void {
	const method = ctx.method === 'POST' ? fieldsOf(ctx).get('method') : undefined;
	if (method !== undefined) {
		ctx.method = method.toUpperCase();
	}
}

/** Answers requests without a route: an unknown path, or a wrong method. */
function answerUnrouted(ctx: Context): void {
	const matched: ReadonlyArray<{readonly path: string; readonly methods: string[]}> = ctx.matched ?? [];
	const layers = isFixed(ctx.path) ? matched.filter(({path}) => path === ctx.path) : matched;
	const methods = [...new Set(layers.flatMap(layer => layer.methods))].sort();
	if (methods.length === 0 || ctx.state.isOtherPath) {
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

function fieldsOf(ctx: Pick<Context, 'state'>): Fields {
	return ctx.state.fields as Fields;
}
