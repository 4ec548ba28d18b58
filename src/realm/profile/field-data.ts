// The data of a profile field: options, or the kind of external account.

import {z} from 'zod';
import {badRequest} from '../errors.js';
import {fieldTypes} from './fields.js';

const Options = z.record(z.string(), z.object({text: z.string().trim().min(1), order: z.string().regex(/^\d+$/)}));

const ExternalAccount = z.object({subtype: z.string(), url_pattern: z.string().optional()});

/** Kinds of external account that have a name of their own. */
const knownAccounts: Readonly<Record<string, string>> = {
	github: 'GitHub username',
	twitter: 'Twitter username',
};

type FieldData = Readonly<Record<string, unknown>>;

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

	const options = Options.safeParse(data);
	if (!options.success) {
		throw badRequest('field_data is not a dict of choices, each with text and order');
	}

	const texts = Object.values(options.data).map(({text}) => text);
	if (new Set(texts).size < texts.length) {
		throw badRequest('Field must not have duplicate choices.');
	}

	return options.data;
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
