// The queue of outgoing webhooks. It is in the database, so after a crash the next realm continues with it.

import {setMaxListeners} from 'node:events';
import type {Message} from '../../api/index.js';
import type {Clock} from '../clock.js';
import type {PostedMessage} from '../exchanges/exchange.js';
import {recordWebhook, type WebhookRecord} from '../exchanges/record-webhook.js';
import {type Account, findAccount, Interface} from '../people/accounts.js';
import type {Services} from '../services.js';
import type {WebhookTrouble} from '../trouble/trouble.js';
import {type Delivery, finishWebhook, giveUp} from './finish.js';
import {makePayload, makeSlackForm} from './payload.js';
import {type Outcome, postWebhook, type WebhookRequest} from './post.js';
import type {WebhookCall} from './triggers.js';

const RETRIES = 3;

/** The service repeats a webhook whose answer broke off here, and not at level 339. The levels between are unknown. */
const FIRST_LEVEL_THAT_REPEATS_PARTIAL_ANSWERS = 442;

export class WebhookLine {
	readonly #services: Services;
	readonly #timeoutMs: number;
	readonly #connect: WebhookRequest['connect'];
	readonly #atOnce: number;
	readonly #stop = new AbortController();
	readonly #inFlight = new Map<number, Promise<void>>();

	constructor(
		services: Services,
		{timeoutMs, connect, atOnce}: Pick<WebhookRequest, 'timeoutMs' | 'connect'> & {readonly atOnce: number},
	) {
		// Each running call adds a listener.
		setMaxListeners(0, this.#stop.signal);
		this.#services = services;
		this.#timeoutMs = timeoutMs;
		this.#connect = connect;
		this.#atOnce = atOnce;
	}

	/** Starts waiting webhooks, up to the limit. */
	wake(): void {
		const room = this.#atOnce - this.#inFlight.size;
		if (room <= 0 || this.#stop.signal.aborted) {
			return;
		}

		const waiting = this.#services.store.all<WebhookCall>(
			`SELECT * FROM webhook_calls WHERE id NOT IN (SELECT value FROM json_each(?)) ORDER BY position LIMIT ?`,
			JSON.stringify([...this.#inFlight.keys()]),
			room,
		);
		for (const call of waiting) {
			this.#inFlight.set(call.id, this.#work(call));
		}
	}

	/** Resolves when no webhook is running. */
	async done(): Promise<void> {
		while (this.#inFlight.size > 0) {
			await Promise.all(this.#inFlight.values());
		}
	}

	/** Stops. The next realm on this database posts the running webhooks again. */
	async stop(): Promise<void> {
		this.#stop.abort();
		await Promise.all(this.#inFlight.values());
	}

	async #work(call: WebhookCall): Promise<void> {
		try {
			await this.#attempt(call);
		} catch (error) {
			this.#services.log({event: 'error', webhook: call.id, error});
			remove(this.#services, call);
		} finally {
			this.#inFlight.delete(call.id);
			this.wake();
		}
	}

	async #attempt(call: WebhookCall): Promise<void> {
		const {store, trouble, clock, log} = this.#services;
		const bot = findAccount(store, call.bot_id);
		if (!bot?.is_active) {
			remove(this.#services, call);
			return;
		}

		const startMs = clock.now();
		const fault = trouble.takeWebhook(bot.email);
		const request = requestOf(call, bot, this.#services);
		const record = recordWebhook(this.#services, {call, bot, trouble: fault, body: request?.body ?? ''});
		const outcome = await this.#post({bot, request, record}, fault);
		if (outcome.kind === 'stopped') {
			record.ends(outcome, []);
			return;
		}

		log({
			event: 'webhook',
			bot: bot.email,
			message_id: call.message_id,
			try: call.failed_tries + 1,
			outcome: outcome.kind,
			ms: clock.now() - startMs,
			...(outcome.kind === 'answer' && {status: outcome.status}),
		});
		const posted: PostedMessage[] = [];
		try {
			store.transaction(() => this.#settle({call, bot, posted: message => posted.push(message)}, outcome));
		} finally {
			record.ends(outcome, posted);
		}
	}

	async #post({bot, request, record}: Prepared, trouble: WebhookTrouble | undefined): Promise<Outcome> {
		const {clock, version, featureLevel} = this.#services;
		const stop = this.#stop.signal;
		if (trouble?.kind === 'delay') {
			await wait(clock, trouble.delay_ms, stop);
		}

		record.posts();
		if (!request) {
			return {kind: 'unfit', reason: "Slack outgoing webhooks don't support direct messages."};
		}

		const outcome = await postWebhook({
			...request,
			url: bot.payload_url ?? '',
			userAgent: `ZulipOutgoingWebhook/${version}`,
			timeoutMs: this.#timeoutMs,
			connect: this.#connect,
			clock,
			stop,
			isCutAfterWriting: trouble?.kind === 'break-before',
		});

		if (outcome.kind === 'broken' && outcome.within && featureLevel < FIRST_LEVEL_THAT_REPEATS_PARTIAL_ANSWERS) {
			return {kind: 'failed', type: 'ChunkedEncodingError', reason: outcome.within};
		}

		return trouble?.kind === 'break-after' && outcome.kind === 'answer' ? {kind: 'broken'} : outcome;
	}

	#settle(delivery: Delivery, outcome: Exclude<Outcome, {kind: 'stopped'}>): void {
		const {store} = this.#services;
		const {call} = delivery;
		if (outcome.kind === 'answer' || outcome.kind === 'failed' || outcome.kind === 'unfit') {
			finishWebhook(this.#services, delivery, outcome);
			remove(this.#services, call);
			return;
		}

		if (call.failed_tries >= RETRIES) {
			giveUp(this.#services, delivery, outcome);
			remove(this.#services, call);
			return;
		}

		// Without a pause: it goes to the end of the queue.
		store.run(
			`UPDATE webhook_calls SET failed_tries = failed_tries + 1,
			position = (SELECT max(position) + 1 FROM webhook_calls) WHERE id = ?`,
			call.id,
		);
	}
}

/** A webhook that is ready to be posted. There is no request if the bot's format does not support the message. */
interface Prepared {
	readonly bot: Account;
	readonly request: ReturnType<typeof requestOf>;
	readonly record: WebhookRecord;
}

function remove({store}: Services, call: WebhookCall): void {
	store.run('DELETE FROM webhook_calls WHERE id = ?', call.id);
}

/** Body and type in the bot's format. Undefined for a direct message in Slack's format. */
function requestOf(call: WebhookCall, bot: Account, {site}: Services) {
	// queueWebhooks() wrote it, so the type is right.
	const message = JSON.parse(call.message) as Message;
	const content = {message, token: bot.webhook_token ?? '', trigger: call.trigger};
	if (bot.interface === Interface.native) {
		return {body: JSON.stringify(makePayload(bot, content)), contentType: 'application/json'};
	}

	return message.stream_id === undefined
		? undefined
		: {body: makeSlackForm(bot, {...content, site}).toString(), contentType: 'application/x-www-form-urlencoded'};
}

function wait(clock: Clock, ms: number, stop: AbortSignal): Promise<void> {
	return new Promise(resolve => {
		const cancel = clock.after(ms, resolve);
		stop.addEventListener(
			'abort',
			() => {
				cancel();
				resolve();
			},
			{once: true},
		);
	});
}
