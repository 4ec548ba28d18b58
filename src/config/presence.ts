import {type Hours, HoursError, parseHours} from '../presence/hours.js';
import {ConfigError} from './error.js';
import type {Section} from './sections.js';

/** What Bothy reports to the service about an account, and when. */
export interface Presence {
	readonly status: 'active' | 'idle';
	/** Absent: always. */
	readonly hours?: Hours;
}

export function readPresence(section: Section): Presence | undefined {
	const status = section.value('presence')?.trim();
	const hours = section.value('presence-hours')?.trim();
	if (!status && hours) {
		throw new ConfigError(
			`${section.placeOf('presence-hours')}: expected \`presence = active\` or \`presence = idle\` together with ` +
				'`presence-hours`, found neither',
		);
	}

	if (!status) {
		return undefined;
	}

	if (status !== 'active' && status !== 'idle') {
		throw new ConfigError(
			`${section.placeOf('presence')}: expected \`active\` or \`idle\` in \`presence\`, found "${status}"`,
		);
	}

	return hours ? {status, hours: readHours(section, hours)} : {status};
}

function readHours(section: Section, text: string): Hours {
	try {
		return parseHours(text);
	} catch (error) {
		if (error instanceof HoursError) {
			const place = section.placeOf('presence-hours');
			throw new ConfigError(`${place}: expected ${error.expected} in \`presence-hours\`, found "${error.found}"`);
		}

		throw error;
	}
}
