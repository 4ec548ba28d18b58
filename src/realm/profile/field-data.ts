// The data of a profile field: options, or the kind of external account.

import {z} from '../../api/zod.js';
import {badRequest} from '../errors.js';
import {fieldTypes} from './fields.js';

const ExternalAccount = z.object({subtype: z.string(), url_pattern: z.string().optional()});

/** Kinds of external account that have a name of their own. */
const knownAccounts: Readonly<Record<string, string>> = {
	github: 'GitHub username',
	twitter: 'Twitter username',
};

export type FieldData = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

export function knownAccountName(type: number, data: FieldData = {}): string | undefined {
	const subtype = type === fieldTypes.EXTERNAL_ACCOUNT.id ? String(data.subtype) : '';
	return Object.hasOwn(knownAccounts, subtype) ? knownAccounts[subtype] : undefined;
}

export function checkFieldData(type: number, data: FieldData): string {
	if (type === fieldTypes.SELECT.id) {
		return JSON.stringify(checkOptions(data));
	}

	return type === fieldTypes.EXTERNAL_ACCOUNT.id ? JSON.stringify(checkAccount(data)) : '';
}

function checkOptions(data: FieldData) {
	if (Object.keys(data).length === 0) {
		throw badRequest('Field must have at least one choice.');
	}

	const options = Object.entries(data).map(([key, choice]) => [key, checkOption(key, choice)] as const);
	if (new Set(options.map(([, {text}]) => text)).size < options.length) {
		throw badRequest('Field must not have duplicate choices.');
	}

	return Object.fromEntries(options);
}

function checkOption(key: string, choice: FieldData[string]): {text: string; order: string} {
	if (key.trim() === '') {
		throw badRequest("'value' cannot be blank.");
	}

	if (typeof choice === 'string') {
		throw badRequest('field_data is not a dict');
	}

	const read = (name: string) => {
		const value = choice[name]?.trim();
		if (value === undefined) {
			throw badRequest(`${name} key is missing from field_data`);
		}

		if (value === '') {
			throw badRequest(`field_data["${name}"] cannot be blank.`);
		}

		return value;
	};
	const [text, order] = [read('text'), read('order')];
	const others = Object.keys(choice).filter(name => name !== 'text' && name !== 'order');
	if (others.length > 0) {
		throw badRequest(`Unexpected arguments: ${others.join(', ')}`);
	}

	return {text, order};
}

function checkAccount(data: FieldData) {
	const account = ExternalAccount.safeParse(data);
	if (!account.success || (account.data.subtype !== 'custom' && !Object.hasOwn(knownAccounts, account.data.subtype))) {
		throw badRequest('Invalid external account type');
	}

	if (account.data.subtype === 'custom' && account.data.url_pattern === undefined) {
		throw badRequest('Custom external account must define URL pattern');
	}

	if (account.data.url_pattern !== undefined && account.data.url_pattern.split('%(username)s').length !== 2) {
		throw badRequest('Malformed URL pattern.');
	}

	return account.data;
}
