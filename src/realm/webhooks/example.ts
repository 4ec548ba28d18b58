// The payload that a bot's receiver would get for the newest message that the bot may read, or was sent (spec.md, operation 21).

import type {Payload} from '../../api/index.js';
import {badRequest} from '../errors.js';
import {triggerAt} from '../levels.js';
import {newestDirectMessage, selectMessages} from '../messages/rows.js';
import {type Account, randomKey} from '../people/accounts.js';
import type {Services} from '../services.js';
import type {Store} from '../store/store.js';
import {makePayload, postedMessage} from './payload.js';

export function examplePayload({store, featureLevel}: Services, bot: Account): Payload {
	const [read] = selectMessages(store, bot, {conditions: [], newestFirst: true, limit: 1});
	const sent = newestDirectMessage(store, bot.id);
	const row = sent && sent.id > (read?.id ?? 0) ? sent : read;
	if (!row) {
		throw badRequest('There is no message yet that this bot may read.');
	}

	return makePayload(bot, {
		message: postedMessage(store, row),
		token: bot.webhook_token ?? giveToken(store, bot),
		trigger: triggerAt(row.channel_id === null ? 'direct_message' : 'mention', featureLevel),
	});
}

/** Bots of other types get a token on the first request, and keep it. */
function giveToken(store: Store, {id}: Account): string {
	const token = randomKey();
	store.run('UPDATE accounts SET webhook_token = ? WHERE id = ?', token, id);
	return token;
}
