// The HTTP server that takes payloads, verifies them, and answers with the bot's reply.

import {createServer, type IncomingMessage, type Server, ServerResponse} from 'node:http';
import type {Socket} from 'node:net';
import {setTimeout as sleep} from 'node:timers/promises';
import Router from '@koa/router';
import Koa from 'koa';
import type {Payload} from '../api/index.js';
import {FULL_ANSWER} from '../delivery/answers.js';
import type {Outcome} from '../delivery/confirmations.js';
import type {Answer} from '../delivery/receive.js';
import {messageText, type Work} from '../delivery/work.js';
import {createBodyReader, parseJson} from './body.js';
import {drainServer} from './drain.js';
import {answerErrors, WebhookError} from './errors.js';
import {createHooks, type Hooked, readRaw} from './hooks.js';
import {readEnvelope, readPayload} from './payload.js';
import {createSlowDown} from './slow-down.js';
import {endConnection, limitUnanswered} from './unanswered.js';
import {createTokenFinder, createTokenVerifier, type Verifiable} from './verify.js';

export interface ReceiverOptions<Account extends Verifiable & Hooked> {
	readonly accounts: readonly Account[];
	/** Claims the delivery, runs the account's bot and returns the answer. Its errors are answered with 500. */
	deliver(arrival: {
		account: Account;
		work: Work;
		/** The work as JSON text, if it is known. */
		text?: string;
		arrivedAt: number;
		/** Whether the connection can still carry an answer. */
		isOpen(): boolean;
	}): Promise<Answer>;
	readiness(): Promise<Readiness>;
	/** Milliseconds since 1970. Default: the clock. */
	now?(): number;
	/** Called with internal errors. */
	report(error: unknown): void;
	/** Called for each payload with an unknown bot or a wrong token. */
	refused?(refusal: {readonly address: string; readonly bot: string}): void;
}

/** Whether this process can take deliveries. A failure of a shared service does not make it unready. */
export interface Readiness {
	/** The reason if it cannot. Empty if it can. */
	readonly missing: readonly string[];
	/** What does not work although deliveries are accepted: `redis`, `workers`. */
	readonly degraded: readonly string[];
}

export interface Receiver extends Server {
	/** Accepts no new connections, and closes each open one after its next answer. Resolves when all are closed, within `graceMs`. */
	drain(graceMs: number): Promise<void>;
}

/** Makes the server; the caller listens with it. */
export function createReceiver<Account extends Verifiable & Hooked>(options: ReceiverOptions<Account>): Receiver {
	const app = new Koa();
	let isDraining = false;
	app.on('error', options.report);
	app.use(answerErrors(options.report));
	app.use(createRoutes(options).routes());
	app.use(refuseRest);

	/** Its head tells the client that the connection ends. */
	class Response extends ServerResponse {
		override writeHead(status: number, ...rest: unknown[]): this {
			this.shouldKeepAlive &&= !isDraining;
			return Reflect.apply(super.writeHead, this, [status, ...rest]);
		}
	}

	const [limits, handle] = limitUnanswered(app.callback());
	const server = createServer(
		{...TIMEOUTS, ...limits, connectionsCheckingInterval: 1_000, ServerResponse: Response},
		handle,
	);
	server.maxRequestsPerSocket = MOST_REQUESTS;
	server.on('upgrade', endConnection);
	server.on('clientError', answerBrokenRequest);
	server.on('checkExpectation', refuseExpectation);
	function drain(graceMs: number): Promise<void> {
		isDraining = true;
		return drainServer(server, graceMs);
	}

	return Object.assign(server, {drain});
}

/** Maximum requests of one connection. */
const MOST_REQUESTS = 10_000;

/** Maximum refusals that are delayed because their clients guess. */
const MOST_WAITING = 200;

/** Maximum bytes of a payload that is parsed before the search for its token. A megabyte of lists takes long to parse. */
const SMALL_BODY = 65_536;

/** Ends a slow connection: the service sends its few kilobytes at once. */
const TIMEOUTS = {headersTimeout: 10_000, requestTimeout: 15_000, keepAliveTimeout: 65_000};

const JSON_TYPE = 'application/json; charset=utf-8';

const METHODS: Record<string, string> = {'/': 'POST', '/webhook': 'POST', '/healthz': 'GET', '/readyz': 'GET'};

function createRoutes<Account extends Verifiable & Hooked>(options: ReceiverOptions<Account>): Router {
	const {accounts, deliver, readiness} = options;
	const verifyToken = createTokenVerifier(accounts);
	const readHook = createHooks(accounts);
	const holdsToken = createTokenFinder(accounts);
	const slowDown = createSlowDown(() => performance.now());
	const readBody = createBodyReader();
	const decoder = new TextDecoder();
	let waiting = 0;
	const router = new Router();

	async function delayRefusal(address: string, bot: string): Promise<void> {
		options.refused?.({address, bot});
		const waitMs = slowDown(address, bot);
		if (waitMs > 0 && waiting >= MOST_WAITING) {
			throw new WebhookError(429, 'TOO_MANY', 'Too many wrong tokens. Wait a minute.');
		}

		waiting += 1;
		await sleep(waitMs).finally(() => {
			waiting -= 1;
		});
	}

	// Today's bot servers listen on `/`.
	router.post(['/webhook', '/'], async function receive(ctx) {
		// The deadline counts from here, because the service has waited since then.
		const arrivedAt = performance.now();
		let bytes: Buffer | undefined = await readBody(ctx);
		let text = bytes.length <= SMALL_BODY || holdsToken(bytes) ? decoder.decode(bytes) : undefined;
		bytes = undefined;
		let body = text === undefined ? undefined : parseJson(text);
		const {bot_email, token} = body ? readEnvelope(body) : {bot_email: '', token: ''};
		const account = verifyToken(bot_email, token);
		if (!account || text === undefined) {
			// Hundreds wait, of up to a megabyte each and much more as objects.
			text = undefined;
			body = undefined;
			await delayRefusal(ctx.ip, bot_email);
			throw new WebhookError(
				401,
				'UNAUTHORIZED',
				'Unknown bot or wrong token. You find the token in the zuliprc that you can download ' +
					'in the settings of the bot. Put it into the config file of the bot host, next to `email` and `site`.',
			);
		}

		const payload = readPayload(body);
		text = messageText(withoutToken(text, payload));
		const {socket} = ctx.req;
		const isOpen = () => socket.writable && !socket.destroyed;
		const {body: answer, outcome} = await deliver({
			account,
			work: {kind: 'message', payload},
			text,
			arrivedAt,
			isOpen,
		});
		// Bypasses Koa, which would compute the type, length and caching of an answer. All of these are known here.
		ctx.respond = false;
		ctx.res.writeHead(200, {'content-type': JSON_TYPE, 'content-length': Buffer.byteLength(answer)});
		// Sends head and body in one write: a service may treat half an answer as a whole one.
		ctx.res.end(answer);
		if (outcome) {
			reportOutcome(ctx.res, outcome);
		}
	});

	router.post(/^\/hooks\/[^/]{1,100}\/.{1,200}$/, async function receiveHook(ctx) {
		const arrivedAt = performance.now();
		const [, , name = '', ...rest] = ctx.path.split('/');
		const body = await readRaw(ctx.req);
		const at = options.now?.() ?? Date.now();
		const hooking = readHook({name, path: `/${rest.join('/')}`, headers: ctx.headers, query: ctx.query, body, at});
		if (!hooking) {
			await delayRefusal(ctx.ip, `hook ${name}`);
			throw new WebhookError(
				401,
				'UNAUTHORIZED',
				'Unknown account or path, or a wrong signature. Check the URL and the secret.',
			);
		}

		const {socket} = ctx.req;
		const isOpen = () => socket.writable && !socket.destroyed;
		const answer = await deliver({...hooking, arrivedAt, isOpen});
		if (answer.body === FULL_ANSWER) {
			throw new WebhookError(503, 'NOT_READY', 'Too many deliveries are waiting. Repeat the request in a minute.');
		}

		ctx.body = {result: 'success', msg: ''};
	});

	router.get('/healthz', ctx => {
		ctx.body = {result: 'success', msg: ''};
	});

	router.get('/readyz', async ctx => {
		const {missing, degraded} = await readiness();
		ctx.status = missing.length === 0 ? 200 : 503;
		ctx.body =
			missing.length === 0
				? {result: 'success', msg: '', degraded}
				: {result: 'error', code: 'NOT_READY', msg: `Not ready: ${missing.join('; ')}`, missing, degraded};
	});

	return router;
}

/** Removes the token from the text that is stored. A token that is written with escapes is not in the text literally. */
function withoutToken(text: string, payload: Payload): string {
	const isPlain = text.includes(payload.token) && text.indexOf('"token"') === text.lastIndexOf('"token"');
	return isPlain
		? text.replaceAll(payload.token, '')
		: JSON.stringify({...payload, token: ''}).replaceAll(payload.token, '');
}

function reportOutcome(response: ServerResponse, {onFlushed, onLost}: Outcome): void {
	if (response.destroyed || response.socket?.destroyed !== false) {
		onLost();
		return;
	}

	response.once('finish', onFlushed);
	response.once('close', () => {
		if (!response.writableFinished) {
			onLost();
		}
	});
}

function refuseRest(ctx: Koa.Context): void {
	const method = METHODS[ctx.path];
	if (!method) {
		throw new WebhookError(404, 'NOT_FOUND', 'Not found. Send outgoing webhooks to POST /webhook.');
	}

	ctx.set('allow', method);
	throw new WebhookError(405, 'METHOD_NOT_ALLOWED', `Expected ${method} ${ctx.path}, found ${ctx.method}.`);
}

/** An `Expect` that we cannot meet never reaches Koa. */
function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
	const msg = 'Expected no `Expect` header, or 100-continue.';
	const body = JSON.stringify({result: 'error', code: 'EXPECTATION_FAILED', msg});
	response.writeHead(417, {
		'content-type': JSON_TYPE,
		'content-length': Buffer.byteLength(body),
		connection: 'close',
	});
	response.end(body);
}

/** Invalid HTTP never reaches Koa, but it still gets a JSON object. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
	if (error.code === 'ECONNRESET' || !socket.writable) {
		socket.destroy();
		return;
	}

	const status = STATUS_OF_BROKEN[error.code ?? ''] ?? '400 Bad Request';
	const body = JSON.stringify({
		result: 'error',
		code: 'BAD_REQUEST',
		msg: `Expected an HTTP request, found ${status}.`,
	});
	socket.end(
		`HTTP/1.1 ${status}\r\ncontent-type: ${JSON_TYPE}\r\n` +
			`content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
	);
}

const STATUS_OF_BROKEN: Record<string, string> = {
	HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
	ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};
