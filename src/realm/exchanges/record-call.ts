// Records the REST calls of bots.

import type {Context} from 'koa';
import type {Fields} from '../http/fields.js';
import {findMessage} from '../messages/rows.js';
import {type Account, findAccountByEmail, isBot} from '../people/accounts.js';
import type {Services} from '../services.js';
import type {PostedMessage} from './exchange.js';
import {conversationOf} from './note-called.js';

/** A host calls these all the time. They are recorded only if they fail. */
const ROUTINE = new Set(['register', 'getEvents', 'deleteEventQueue', 'updatePresence', 'getServerSettings']);

/** Runs a request of the API. If a bot made it, records it with its answer. */
export async function recordCall(services: Services, ctx: Context, run: () => Promise<void>): Promise<void> {
	const bot = callingBot(services, ctx);
	if (!bot) {
		return run();
	}

	const startMs = performance.now();
	await run();
	const {operation = null, fields, fault = null, isCut = false} = ctx.state;
	const isFine = ctx.status < 400 && !isCut && fault === null;
	if (isFine && ROUTINE.has(operation)) {
		return;
	}

	const ms = Math.round(performance.now() - startMs);
	const end = services.exchanges.begin({
		kind: 'call',
		bot,
		message_id: null,
		linked_by: null,
		attempt: null,
		operation,
		method: ctx.method,
		url: ctx.url,
		request: JSON.stringify(parametersOf(fields)),
		fault,
		agoMs: ms,
	});
	const answer = typeof ctx.body === 'string' ? ctx.body : '';
	const posted = operation === 'sendMessage' && ctx.status === 200 ? postedMessage(services, answer) : undefined;
	end({
		ms,
		outcome: isCut ? 'broken' : 'answered',
		...(isCut ? {reason: 'The realm gave no answer'} : {status: ctx.status, answer}),
		...(posted && {posted: [posted.post]}),
		links: {delivery: ctx.get('bothy-delivery'), named: namedMessage(ctx.url), conversation: posted?.conversation},
	});
}

/** The bot that the caller claims to be. Its key may be wrong, because such a call belongs on the page, too. */
function callingBot({store}: Services, ctx: Context): Account | undefined {
	const [, encoded = ''] = /^basic\s+(\S+)$/i.exec(ctx.get('authorization')) ?? [];
	const [email = ''] = Buffer.from(encoded, 'base64').toString().split(':', 1);
	const account = email === '' ? undefined : findAccountByEmail(store, email.trim());
	return account && isBot(account) ? account : undefined;
}

function parametersOf(fields: Fields | undefined): Record<string, string> {
	const names = [...(fields?.names ?? [])];
	return Object.fromEntries(names.map(name => [name, fields?.get(name) ?? '']));
}

function namedMessage(url: string): number | undefined {
	const id = /\/messages\/(\d+)/.exec(url)?.[1];
	return id === undefined ? undefined : Number(id);
}

function postedMessage({store}: Services, answer: string): {post: PostedMessage; conversation: string} | undefined {
	const id = /"id":(\d+)/.exec(answer)?.[1];
	const row = id === undefined ? undefined : findMessage(store, Number(id));
	return (
		row && {
			post: {message_id: row.id, to: 'conversation', text: row.content},
			conversation: conversationOf(row),
		}
	);
}
