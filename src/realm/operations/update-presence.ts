import {badRequest, RealmError} from '../errors.js';
import {handler} from '../http/handler.js';
import {isStatus, readPresences, recordInput, recordPresence} from '../people/presence.js';

export const updatePresence = handler(
	'updatePresence',
	({services, caller, parameters}) => {
		const {status, last_update_id: lastUpdateId} = parameters;
		if (status === undefined) {
			throw new RealmError("Missing 'status' argument", 'REQUEST_VARIABLE_MISSING', 400, {var_name: 'status'});
		}

		if (!isStatus(status)) {
			throw badRequest(`Invalid status: ${status}`);
		}

		recordPresence(services, caller, status);
		if (parameters.new_user_input) {
			recordInput(services, caller);
		}

		if (parameters.ping_only) {
			// Real servers leave it out here; spec.md says that it always comes.
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
