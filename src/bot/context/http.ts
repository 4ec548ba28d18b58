// Requests of other systems to `.http()` handlers.

import type {HttpRequest} from '../../delivery/work.js';
import type {Returned} from '../returned.js';
import {SettingsError} from '../settings.js';
import type {Actions} from './capabilities.js';

/**
 * How Bothy verifies the sender of a request:
 *
 * - `github`: `X-Hub-Signature-256`, as GitHub and Gitea sign
 * - `gitlab`: the secret in `X-Gitlab-Token`
 * - `hmac-sha256`: HMAC-SHA256 of the body in `X-Signature-256` or `X-Signature`, as hex or Base64, with or without the prefix `sha256=`
 * - `token`: the secret as `Authorization: Bearer <secret>` or in `X-Token`
 */
export type Verification = 'github' | 'gitlab' | 'hmac-sha256' | 'token';

const VERIFICATIONS: readonly string[] = ['github', 'gitlab', 'hmac-sha256', 'token'] satisfies Verification[];

/** Options of `.http()`. */
export interface HttpOptions<Config = undefined> {
	/** The key of the bot's config that holds the secret, of at least 16 characters. */
	readonly secret: Config extends object ? keyof Config & string : string;
	/** How Bothy verifies the sender. */
	readonly verify: Verification;
}

/** A request that another system made. */
export interface ReceivedRequest {
	/** The path, as the bot declares it. */
	readonly path: string;
	/** Names in lower case. Without signatures, tokens and cookies. */
	readonly headers: Readonly<Record<string, string>>;
	/** The parameters of the URL. */
	readonly query: Readonly<Record<string, string>>;
	/** The body as text. */
	readonly text: string;
	/** When Bothy received it. */
	readonly at: Date;
	/** Parses the body as JSON; check it with a schema. Throws if it is not JSON. */
	json(): unknown;
}

/** What the handler of a request gets. */
export interface HttpContext<Config = undefined> extends Actions<Config> {
	/** The request, after Bothy has verified its sender. */
	readonly request: ReceivedRequest;
}

/** Runs for a request of another system. */
export type HttpHandler<Config = undefined> = (ctx: HttpContext<Config>) => Returned;

/** @throws TypeError if a bot declares a path wrongly. */
export function checkHttp<Config>(path: string, {secret, verify}: HttpOptions<Config>): void {
	if (!/^(\/[\w.-]+)+$/.test(path)) {
		throw new TypeError(`Expected .http() with a path such as /deploy, got "${path}"`);
	}

	if (!VERIFICATIONS.includes(verify) || typeof secret !== 'string') {
		throw new TypeError(
			`Expected .http('${path}') with \`secret\`, a key of the config, and \`verify\`: ${VERIFICATIONS.join(', ')}`,
		);
	}
}

/** A path and its handler, as the bot declares them. */
export interface BotHttp<Config = undefined> {
	readonly secret: string;
	readonly verify: Verification;
	readonly run: HttpHandler<Config>;
}

/** A path of an account, with its secret. */
export interface Hook {
	readonly path: string;
	readonly verify: Verification;
	readonly secret: string;
}

/** Shorter secrets can be guessed. */
const SHORTEST_SECRET = 16;

/** @throws SettingsError if the account (`owner`) does not set a path's secret. */
export function hooksOf(
	{https}: {readonly https: ReadonlyMap<string, Pick<BotHttp, 'secret' | 'verify'>>},
	config: unknown,
	owner: string,
): readonly Hook[] {
	return [...https].flatMap(([path, {secret: key, verify}]) => {
		const secret = (config as Readonly<Record<string, unknown>> | undefined)?.[key];
		// The secret is optional in the bot's config, so this account accepts no requests at the path.
		if (secret === undefined && config !== undefined) {
			return [];
		}

		if (typeof secret !== 'string' || secret.length < SHORTEST_SECRET) {
			throw new SettingsError(
				`${owner}: \`config.${key}\`: expected the secret of .http('${path}'), of at least ${SHORTEST_SECRET} characters`,
			);
		}

		return {path, verify, secret};
	});
}

export function presentRequest({path, headers, query, body, at}: HttpRequest): ReceivedRequest {
	return {path, headers, query, text: body, at: new Date(at), json: () => JSON.parse(body)};
}
