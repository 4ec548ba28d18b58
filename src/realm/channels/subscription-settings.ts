// A subscriber's settings for a channel.

import {badRequest} from '../errors.js';
import {notifications} from './present-subscription.js';

const switches = ['is_muted', 'pin_to_top', ...notifications] as const;

interface Wanted {
	readonly property: string;
	readonly value: boolean | string;
}

interface SubscriptionProperty extends Wanted {
	/** Also the name of its database column. */
	readonly property: (typeof switches)[number] | 'color';
}

/** `place` names the values in errors. */
export function readSubscriptionProperty({property, value}: Wanted, place: string): SubscriptionProperty {
	if (property === 'color') {
		return {property, value: readColor(value, {place, name: 'color'})};
	}

	// `in_home_view` is the opposite of `is_muted`.
	const isOlder = property === 'in_home_view';
	const known = isOlder ? 'is_muted' : switches.find(name => name === property);
	if (!known) {
		throw badRequest(`Unknown subscription property: ${property}`);
	}

	if (typeof value !== 'boolean') {
		throw badRequest(`${property} is not a boolean`);
	}

	return {property: known, value: isOlder ? !value : value};
}

/** `name` is what the error calls it. */
export function readColor(value: unknown, {place, name}: {readonly place: string; readonly name: string}): string {
	if (typeof value !== 'string' || !/^#[\da-f]{3,6}$/i.test(value)) {
		throw badRequest(`Invalid ${place}: Value error, ${name} is not a valid hex color code`);
	}

	return value;
}
