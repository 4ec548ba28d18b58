// Answers one call: authenticates, checks rate limit and rights, decodes parameters, runs the handler (service-facts.md 7.1).

import type {Context} from 'koa';
import type {Operation} from '../../api/index.js';
import {RealmError} from '../errors.js';
import {answerAt, checkOperators, refusalAt} from '../levels.js';
import {clientName} from '../messages/clients.js';
import {readTermAsNamed} from '../messages/narrow/narrow.js';
import type {Account} from '../people/accounts.js';
import type {Services} from '../services.js';
import {causeTrouble} from '../trouble/cause.js';
import {authenticate, checkOrganization} from './basic-auth.js';
import {answerSuccess} from './envelope.js';
import type {Fields} from './fields.js';
import {checkBotKind, checkCaller} from './guards.js';
import type {Handler} from './handler.js';
import {checkLoopbackHost} from './loopback.js';
import {decodeParameters, unsupportedNames} from './parameters.js';
import type {RateLimit} from './rate-limit.js';

const FIRST_LEVEL_THAT_NAMES_UNSUPPORTED = 167;

/** An operation with what is needed to answer it. */
export interface Route {
	readonly operation: Operation;
	readonly handler: Handler;
	readonly services: Services;
	/** Absent: no rate limit. */
	readonly limit: RateLimit | undefined;
}

/** A request from the router. */
export interface Request {
	readonly ctx: Context;
	readonly fields: Fields;
	/** Parameters from the path. */
	readonly path: Readonly<Record<string, string>>;
}

export async function answerCall(route: Route, request: Request): Promise<void> {
	const {ctx} = request;
	const {services, operation, handler} = route;
	ctx.state.operation = operation.name;
	if (!mayComeWithoutLogin(route) && isBrowserWithoutLogin(ctx)) {
		ctx.redirect('/');
		return;
	}

	const caller = authenticateCaller(ctx, route);
	ctx.state.account = caller?.email;
	if (caller) {
		checkOrganization(services.store, ctx.get('host'));
	}

	const trouble = services.trouble.takeCall(handler.operation, caller);
	ctx.state.fault = trouble?.kind;
	await causeTrouble({
		ctx,
		clock: services.clock,
		trouble,
		async run() {
			countCall(ctx, caller, route);
			if (caller) {
				checkCaller(caller, operation, services.featureLevel);
			}

			await answer(route, request, caller).catch(error => {
				throw refusalAt(error, services.featureLevel);
			});
		},
	});
}

function mayComeWithoutLogin({operation, services}: Route): boolean {
	return operation.callers === 'anyone' || (operation.callers === 'public' && services.publicAccess);
}

/** A person who followed a link. */
export function isBrowserWithoutLogin(ctx: Context): boolean {
	return ctx.get('authorization') === '' && ctx.accepts('json', 'html') === 'html';
}

/** The account that calls, or undefined if there are no credentials and none are needed. */
function authenticateCaller(ctx: Context, route: Route): Account | undefined {
	const {operation, services} = route;
	const hasCredentials = operation.callers !== 'anyone' && ctx.get('authorization') !== '';
	if (hasCredentials || !mayComeWithoutLogin(route)) {
		const caller = authenticate(services.store, ctx.get('authorization'));
		checkBotKind(caller, operation);
		return caller;
	}

	// These hand out API keys.
	if (/^\/(dev_|fetch_api_key$)/.test(operation.path)) {
		checkLoopbackHost(ctx);
	}

	return undefined;
}

function countCall(ctx: Context, caller: Account | undefined, {limit, operation}: Route): void {
	// Development logins have no rate limit.
	const allowance = operation.path.startsWith('/dev_') ? undefined : limit?.count(caller?.id ?? ctx.ip);
	if (!allowance) {
		return;
	}

	ctx.set('X-RateLimit-Limit', String(allowance.limit));
	ctx.set('X-RateLimit-Remaining', String(allowance.remaining));
	ctx.set('X-RateLimit-Reset', String(allowance.reset));
	const {retryAfter} = allowance;
	if (retryAfter !== undefined) {
		ctx.set('Retry-After', String(retryAfter));
		throw new RealmError('API usage exceeded rate limit', 'RATE_LIMIT_HIT', 429, {'retry-after': retryAfter});
	}
}

async function answer(
	{operation, handler, services}: Route,
	{ctx, fields, path}: Request,
	caller: Account | undefined,
) {
	const {featureLevel} = services;
	const decoding = {operation, fields, path, featureLevel, raw: handler.raw, mayLack: handler.mayLack};
	const parameters = decodeParameters(decoding);
	if (Array.isArray(parameters.narrow)) {
		checkOperators(parameters.narrow.map(readTermAsNamed), featureLevel);
	}

	const gone = new AbortController();
	ctx.res.once('close', () => gone.abort());
	const client = fields.get('client')?.slice(0, 30) ?? clientName(ctx.get('user-agent'));
	const result = await handler.answer({services, caller, parameters, client, gone: gone.signal});

	const unsupported = featureLevel >= FIRST_LEVEL_THAT_NAMES_UNSUPPORTED ? unsupportedNames(decoding) : [];
	answerSuccess(ctx, {
		...answerAt(operation, result, featureLevel),
		...(unsupported.length > 0 && {ignored_parameters_unsupported: unsupported}),
	});
}
