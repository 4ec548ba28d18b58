import {badRequest} from '../errors.js';
import {handler} from '../http/handler.js';
import {findAccount, findVisibleByEmail, isBot} from '../people/accounts.js';
import {findPresence, legacyStatus, OFFLINE_SECONDS} from '../people/presence.js';

export const getUserPresence = handler(
	'getUserPresence',
	({services: {store, clock}, caller, parameters}) => {
		const name = parameters.user_id_or_email ?? '';
		const target = /^\d+$/.test(name) ? findAccount(store, Number(name)) : findVisibleByEmail(store, caller, name);
		if (!target?.is_active) {
			throw badRequest('No such user');
		}

		if (isBot(target)) {
			throw badRequest('Presence is not supported for bot users.');
		}

		const presence = findPresence(store, target.id);
		if (!presence) {
			throw badRequest(`No presence data for ${name}`);
		}

		const {status, timestamp} = legacyStatus(presence);
		const isOffline = clock.seconds() - timestamp > OFFLINE_SECONDS;
		return {
			presence: {
				aggregated: {status: isOffline ? 'offline' : status, timestamp},
				website: {status, timestamp},
			},
		};
	},
	['user_id_or_email'],
);
