import {RealmError} from '../errors.js';
import {type Account, Role} from '../people/accounts.js';

const words: Readonly<Record<string, number | null>> = {realm_default: null, unlimited: -1};

/** The retention of a channel as it is stored. Null means that of the organization. */
export function parseRetention(value: number | string): number | null {
	const days = typeof value === 'string' ? words[value] : value;
	if (days === undefined || (typeof value === 'number' && value < 1)) {
		throw new RealmError(`Bad value for 'message_retention_days': ${value}`, 'REQUEST_VARIABLE_INVALID', 400, {
			var_name: 'message_retention_days',
			bad_value: value,
		});
	}

	return days;
}

export function checkMayRetain(caller: Account): void {
	if (caller.role !== Role.owner) {
		throw new RealmError('Must be an organization owner', 'UNAUTHORIZED_PRINCIPAL');
	}
}
