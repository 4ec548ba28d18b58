// Checks which kinds of callers may use an operation (service-facts.md 1.2, 4.7).

import type {Operation} from '../../api/index.js';
import {badRequest, RealmError} from '../errors.js';
import {type Account, BotType, isAdministrator, isBot, isGuest} from '../people/accounts.js';
import {unauthorized} from './basic-auth.js';

export function checkBotKind(account: Account, operation: Operation): void {
	if (account.bot_type === BotType.incomingWebhook && operation.name !== 'sendMessage') {
		throw unauthorized('This API is not available to incoming webhook bots.');
	}
}

export function checkCaller(account: Account, {callers, botsSince = 0}: Operation, featureLevel: number): void {
	if (isBot(account) && (callers === 'humans' || botsSince > featureLevel)) {
		throw badRequest('This endpoint does not accept bot requests.');
	}

	if (callers === 'bots' && !isBot(account)) {
		throw badRequest('This endpoint accepts bot requests only.');
	}

	if (callers === 'members' && isGuest(account)) {
		throw badRequest('Not allowed for guest users');
	}

	if (callers === 'administrators' && !isAdministrator(account)) {
		throw new RealmError('Must be an organization administrator', 'UNAUTHORIZED_PRINCIPAL');
	}
}
