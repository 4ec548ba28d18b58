// Posts what follows a webhook: the bot's reply, or a failure notice in the conversation and one to the owner (service-facts.md
// 4.3, 4.4).

import type {Message} from '../../api/index.js';
import {findChannel} from '../channels/channels.js';
import {RealmError} from '../errors.js';
import type {PostedMessage} from '../exchanges/exchange.js';
import {channelHref, hashPart} from '../markdown/channel-link-rule.js';
import type {Destination} from '../messages/post.js';
import {sendMessage} from '../messages/send.js';
import {type Account, findAccount, Interface} from '../people/accounts.js';
import type {Services} from '../services.js';
import type {Outcome} from './post.js';
import {pythonBytes, pythonLiteral} from './python-text.js';
import {readReply, readSlackReply} from './reply.js';
import type {WebhookCall} from './triggers.js';

export interface Delivery {
	readonly call: WebhookCall;
	readonly bot: Account;
	/** Called with each message that the webhook causes. */
	posted(message: PostedMessage): void;
}

/** The receiver answered, or another attempt cannot succeed. */
export function finishWebhook(
	services: Services,
	delivery: Delivery,
	outcome: Extract<Outcome, {kind: 'answer' | 'failed' | 'unfit'}>,
): void {
	if (outcome.kind === 'unfit') {
		fail(services, delivery, outcome.reason);
		return;
	}

	if (outcome.kind === 'failed') {
		const exception = `An exception of type *${outcome.type}* occurred for message \`${messageOf(delivery).content}\`! See the Zulip server logs for more information.`;
		fail(services, delivery, exception);
		tellOwner(services, delivery, [
			`When trying to send a request to the webhook service, an exception of type ${outcome.type} occurred:`,
			quoteBlock(outcome.reason.replaceAll('```', "'''")),
		]);
		return;
	}

	if (outcome.status >= 200 && outcome.status < 300) {
		postReply(services, delivery, decode(outcome));
		return;
	}

	fail(services, delivery, `Third party responded with ${outcome.status}`);
	const reason =
		outcome.status === 407
			? 'The URL configured for the webhook is for a private or disallowed network.'
			: `The webhook got a response with status code *${outcome.status}*.`;
	tellOwner(services, delivery, [reason, ...payloadNote(outcome.body.length > 0 ? pythonBytes(outcome.body) : '')]);
}

/** All attempts have failed. */
export function giveUp(services: Services, delivery: Delivery, outcome: Outcome): void {
	fail(services, delivery, 'Bot is unavailable');
	tellOwner(services, delivery, [
		outcome.kind === 'timeout'
			? `Request timed out after ${outcome.afterMs / 1000} seconds.`
			: 'A connection error occurred. Is my bot server down?',
	]);
}

function postReply(services: Services, delivery: Delivery, body: string): void {
	try {
		const reply = delivery.bot.interface === Interface.slack ? readSlackReply(body) : readReply(body);
		if (reply) {
			say(services, delivery, reply.content, reply.widgetContent);
		}
	} catch (error) {
		if (!(error instanceof RealmError)) {
			throw error;
		}

		fail(services, delivery, error.message);
		tellOwner(services, delivery, [
			'The outgoing webhook server attempted to send a message in Zulip, but that request resulted in the following error:',
			`> ${error.message}`,
			...payloadNote(body === '' ? '' : pythonLiteral(body)),
		]);
	}
}

/** Posts into the conversation. Does nothing if it no longer exists. */
function fail(services: Services, delivery: Delivery, reason: string): void {
	try {
		say(services, delivery, `Failure! ${reason}`);
	} catch (error) {
		if (!(error instanceof RealmError)) {
			throw error;
		}
	}
}

function say(services: Services, delivery: Delivery, content: string, widgetContent?: string): void {
	const id = sendMessage(services, {
		sender: delivery.bot,
		client: 'OutgoingWebhookResponse',
		destination: destinationOf(services, delivery),
		content,
		widgetContent,
		bypassesAccess: true,
	});
	delivery.posted({message_id: id, to: 'conversation', text: content});
}

function destinationOf({store}: Services, delivery: Delivery): Destination {
	const message = messageOf(delivery);
	if (message.stream_id !== undefined) {
		return {kind: 'channel', channel: {id: message.stream_id}, topic: message.subject};
	}

	const people = Array.isArray(message.display_recipient) ? message.display_recipient : [];
	const accounts = people.map(({id}) => findAccount(store, id)).filter(account => account !== undefined);
	return {kind: 'direct', accounts};
}

function tellOwner(services: Services, delivery: Delivery, lines: readonly string[]): void {
	const {bot} = delivery;
	const owner = bot.bot_owner_id === null ? undefined : findAccount(services.store, bot.bot_owner_id);
	if (!owner?.is_active) {
		return;
	}

	const link = messageUrl(services, messageOf(delivery));
	const opening = `[A message](${link}) to your bot @_**${bot.full_name}** triggered an outgoing webhook.`;
	const text = [opening, ...lines].join('\n');
	const id = sendMessage(services, {
		sender: bot,
		client: 'OutgoingWebhookResponse',
		destination: {kind: 'direct', accounts: [owner]},
		content: text,
	});
	delivery.posted({message_id: id, to: 'owner', text});
}

/** Decodes by the charset of the answer. Without one, text is Latin-1, as in the service's HTTP library. */
function decode({body, type}: Extract<Outcome, {kind: 'answer'}>): string {
	const charset = /charset=["']?([\w.:-]+)/i.exec(type)?.[1] ?? (/^\s*text\//i.test(type) ? 'latin1' : 'utf-8');
	try {
		return new TextDecoder(charset, {ignoreBOM: true}).decode(body);
	} catch {
		return body.toString();
	}
}

/** The body as the service quotes it. Undefined if it is empty. */
function payloadNote(quoted: string): string[] {
	return quoted === '' ? [] : ['The response contains the following payload:', quoteBlock(quoted)];
}

function quoteBlock(text: string): string {
	return `\`\`\`\n${text}\n\`\`\``;
}

function messageUrl({store, site}: Services, message: Message): string {
	const channel = message.stream_id === undefined ? undefined : findChannel(store, message.stream_id);
	if (channel) {
		return `${site}${channelHref(channel)}/topic/${hashPart(message.subject)}/near/${message.id}`;
	}

	const people = Array.isArray(message.display_recipient) ? message.display_recipient : [];
	return `${site}/#narrow/dm/${people.map(({id}) => id).join(',')}/near/${message.id}`;
}

/** The message as it was when the webhook was enqueued. */
function messageOf({call}: Delivery): Message {
	return JSON.parse(call.message) as Message;
}
