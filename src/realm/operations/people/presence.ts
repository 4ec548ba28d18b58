import {badRequest} from '../../errors.js';
import {handler} from '../../http/handler.js';
import {findAccount, findVisibleByEmail, isBot} from '../../people/accounts.js';
import {
	findPresence,
	isStatus,
	legacyStatus,
	OFFLINE_SECONDS,
	readPresences,
	recordInput,
	recordPresence,
} from '../../people/presence.js';

export const updatePresence = handler(
	'updatePresence',
	({services, caller, parameters}) => {
		const {status = '', last_update_id: lastUpdateId} = parameters;
		if (!isStatus(status)) {
			throw badRequest(`Invalid status: ${status}`);
		}

		recordPresence(services, caller, status);
		if (parameters.new_user_input) {
			recordInput(services, caller);
		}

		if (parameters.ping_only) {
			// Real servers omit it here; spec.md says that it is always present.
			return {presence_last_update_id: lastUpdateId ?? -1};
		}

		const found = readPresences(services, {
			isModern: parameters.slim_presence || lastUpdateId !== undefined,
			historyDays: parameters.history_limit_days,
			lastUpdateId,
		});
		return {
			presence_last_update_id: found.lastUpdateId,
			server_timestamp: services.clock.now() / 1000,
			presences: found.presences,
		};
	},
	['status'],
);

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

export const getRealmPresence = handler('getRealmPresence', ({services}) => ({
	presences: readPresences(services, {isModern: false}).presences,
	server_timestamp: services.clock.now() / 1000,
}));
