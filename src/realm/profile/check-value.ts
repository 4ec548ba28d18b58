// Checks a value against its field's type (service-facts.md 6.2).

import {badRequest} from '../errors.js';
import {findAccount, isBot} from '../people/accounts.js';
import type {Store} from '../store/store.js';
import {type FieldRow, fieldTypes} from './fields.js';

const {SHORT_TEXT, LONG_TEXT, SELECT, DATE, URL: LINK, USER, EXTERNAL_ACCOUNT, PRONOUNS} = fieldTypes;

const longest: Readonly<Record<number, number>> = {
	[SHORT_TEXT.id]: 50,
	[LONG_TEXT.id]: 500,
	[EXTERNAL_ACCOUNT.id]: 50,
	[PRONOUNS.id]: 50,
};

/** The value as stored text. */
export function checkValue(store: Store, field: FieldRow, value: string | readonly number[]): string {
	if (field.type === USER.id) {
		return JSON.stringify(checkUsers(store, value));
	}

	if (typeof value !== 'string') {
		throw badRequest(`${field.name} is not a string`);
	}

	checkText(field, value);
	return value;
}

function checkText(field: FieldRow, text: string): void {
	const limit = longest[field.type];
	if (limit !== undefined && [...text].length > limit) {
		throw badRequest(`${field.name} is too long (limit: ${limit} characters)`);
	}

	if (field.type === SELECT.id && !Object.hasOwn(JSON.parse(field.field_data), text)) {
		throw badRequest(`'${text}' is not a valid choice for '${field.name}'.`);
	}

	if (field.type === DATE.id && !isDate(text)) {
		throw badRequest(`${field.name} is not a date`);
	}

	if (field.type === LINK.id && !isLink(text)) {
		throw badRequest(`${field.name} is not a URL`);
	}
}

function checkUsers(store: Store, value: string | readonly number[]): readonly number[] {
	if (typeof value === 'string') {
		throw badRequest('User IDs is not a list');
	}

	const accounts = value.map(id => ({id, account: findAccount(store, id)}));
	const unknown = accounts.filter(({account}) => !account || account.is_system_bot).map(({id}) => id);
	if (unknown.length > 0) {
		throw badRequest(`Invalid user IDs: ${unknown.join(', ')}`);
	}

	for (const {id, account} of accounts) {
		if (!account?.is_active) {
			throw badRequest(`User with ID ${id} is deactivated`);
		}

		if (isBot(account)) {
			throw badRequest(`User with ID ${id} is a bot`);
		}
	}

	return value;
}

/** `YYYY-MM-DD`, and a date that exists. */
function isDate(text: string): boolean {
	return /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00Z`).toJSON()?.startsWith(text) === true;
}

function isLink(text: string): boolean {
	return /^(?:https?|ftps?):\/\/\S+$/i.test(text) && URL.canParse(text);
}
