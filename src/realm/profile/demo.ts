// The demo organization's profile fields, one of each type, and some values.

import type {Account} from '../people/accounts.js';
import type {Store} from '../store/store.js';
import {fieldTypes} from './fields.js';

interface DemoField {
	readonly name: string;
	readonly type: keyof typeof fieldTypes;
	readonly hint?: string;
	readonly data?: object;
	readonly isInSummary?: boolean;
	readonly isForAdministrators?: boolean;
	/** By first name. */
	readonly values?: Readonly<Record<string, string>>;
}

const dishes = {'0': {text: 'Soup', order: '1'}, '1': {text: 'Bread', order: '2'}, '2': {text: 'Cake', order: '3'}};

const fields: readonly DemoField[] = [
	{
		name: 'Desk',
		type: 'SHORT_TEXT',
		hint: 'Where to find you',
		values: {alice: 'By the *window*', bob: 'Second floor'},
	},
	{name: 'About me', type: 'LONG_TEXT', values: {alice: 'Bakes. Ask about **rye**.'}},
	{name: 'Favourite dish', type: 'SELECT', data: dishes, values: {carla: '0'}},
	{name: 'Birthday', type: 'DATE', values: {mona: '1990-02-28'}},
	{name: 'Homepage', type: 'URL', isInSummary: true, values: {bob: 'https://bob.bothy.example/'}},
	{name: 'Mentor', type: 'USER', hint: 'Who showed you around', values: {gus: '[4]', bob: '[3,4]'}},
	{name: 'GitHub username', type: 'EXTERNAL_ACCOUNT', data: {subtype: 'github'}, values: {adam: 'adam-addo'}},
	{name: 'Pronouns', type: 'PRONOUNS', isInSummary: true, values: {mona: 'she/her'}},
	{name: 'Badge', type: 'SHORT_TEXT', isForAdministrators: true, values: {alice: '0004'}},
];

export function seedProfiles(store: Store, find: (firstName: string) => Account | undefined): void {
	for (const [index, field] of fields.entries()) {
		const id = store.run(
			`INSERT INTO profile_fields (name, type, hint, field_data, position, display_in_profile_summary, required,
				editable_by_user)
			VALUES (?, ?, ?, ?, ?, ?, 0, ?)`,
			field.name,
			fieldTypes[field.type].id,
			field.hint ?? '',
			field.data ? JSON.stringify(field.data) : '',
			index,
			field.isInSummary ? 1 : 0,
			field.isForAdministrators ? 0 : 1,
		);
		for (const [name, value] of Object.entries(field.values ?? {})) {
			const account = find(name);
			if (account) {
				store.run('INSERT INTO profile_values (field_id, user_id, value) VALUES (?, ?, ?)', id, account.id, value);
			}
		}
	}
}
