// Zod errors in words for people. Zod's own messages are for developers; a message that the schema sets is not replaced.

import type {z} from '../api/zod.js';

const KINDS: Readonly<Record<string, string>> = {
	number: 'a number',
	int: 'a whole number',
	boolean: '`yes` or `no`',
	string: 'text',
	array: 'a list',
	date: 'a date',
};

const FORMATS: Readonly<Record<string, string>> = {
	email: 'an email address',
	url: 'a URL such as https://example.com',
	date: 'a date such as 2026-12-24',
	time: 'a time such as 9:00',
	datetime: 'a date and time such as 2026-12-24T18:00:00Z',
	uuid: 'a UUID',
};

/** An error map for zod, for texts that people wrote. */
export function plainly(issue: z.core.$ZodRawIssue): string {
	switch (issue.code) {
		case 'invalid_type':
			return `expected ${KINDS[issue.expected] ?? issue.expected}`;
		case 'invalid_value':
			return `expected ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(value => `\`${String(value)}\``).join(', ')}`;
		case 'too_small':
			return `expected ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}${unitOf(issue.origin, issue.minimum)}`;
		case 'too_big':
			return `expected ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}${unitOf(issue.origin, issue.maximum)}`;
		case 'not_multiple_of':
			return `expected a multiple of ${issue.divisor}`;
		case 'invalid_format':
			return `expected ${FORMATS[issue.format] ?? 'another format'}`;
		default:
			return 'this is not valid';
	}
}

function unitOf(origin: string, count: number | bigint): string {
	const unit = {string: 'character', array: 'item'}[origin];
	return unit === undefined ? '' : ` ${unit}${Number(count) === 1 ? '' : 's'}`;
}
