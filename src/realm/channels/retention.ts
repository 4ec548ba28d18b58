import {RealmError} from '../errors.js';
import {type Account, Role} from '../people/accounts.js';

const words: Readonly<Record<string, number | null>> = {realm_default: null, unlimited: -1};

/** The retention of a channel as it is stored. Only owners may set it, but anybody may create a channel with the default. */
export function readRetention(
	caller: Account,
	value: number | string,
	{isNew = false}: {readonly isNew?: boolean} = {},
): number | null {
	const isUsual = isNew && value === 'realm_default';
	if (caller.role !== Role.owner && !isUsual) {
		throw new RealmError('Must be an organization owner', 'UNAUTHORIZED_PRINCIPAL');
	}

	const days = typeof value === 'string' ? words[value] : value;
	if (days === undefined || (typeof value === 'number' && value < 1)) {
		throw new RealmError(`Bad value for 'message_retention_days': ${value}`, 'REQUEST_VARIABLE_INVALID', 400, {
			var_name: 'message_retention_days',
			bad_value: value,
		});
	}

	return days;
}
