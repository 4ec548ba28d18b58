// The organization's custom profile fields (service-facts.md 6.2).

import type {ProfileField} from '../../api/index.js';
import {badRequest} from '../errors.js';
import type {Services} from '../services.js';
import type {Store} from '../store/store.js';

export interface FieldRow {
	readonly id: number;
	readonly name: string;
	readonly type: number;
	readonly hint: string;
	/** JSON text. Empty if the type has no data. */
	readonly field_data: string;
	readonly position: number;
	readonly display_in_profile_summary: 0 | 1;
	readonly required: 0 | 1;
	readonly editable_by_user: 0 | 1;
}

/** The names of types in the API. */
export const fieldTypes = {
	SHORT_TEXT: {id: 1, name: 'Text (short)'},
	LONG_TEXT: {id: 2, name: 'Text (long)'},
	SELECT: {id: 3, name: 'List of options'},
	DATE: {id: 4, name: 'Date'},
	URL: {id: 5, name: 'Link'},
	USER: {id: 6, name: 'Users'},
	EXTERNAL_ACCOUNT: {id: 7, name: 'External account'},
	PRONOUNS: {id: 8, name: 'Pronouns'},
} as const;

export function findField(store: Store, id: number): FieldRow {
	const field = store.get<FieldRow>('SELECT * FROM profile_fields WHERE id = ?', id);
	if (!field) {
		throw badRequest(`Field id ${id} not found.`);
	}

	return field;
}

export function listFields(store: Store): FieldRow[] {
	return store.all<FieldRow>('SELECT * FROM profile_fields ORDER BY position, id');
}

export function presentFields(store: Store): ProfileField[] {
	return listFields(store).map(field => ({
		id: field.id,
		name: field.name,
		type: field.type,
		hint: field.hint,
		field_data: field.field_data,
		order: field.position,
		...(field.display_in_profile_summary && {display_in_profile_summary: true}),
		required: field.required === 1,
		editable_by_user: field.editable_by_user === 1,
	}));
}

/** Publishes the current fields to everybody. */
export function publishFields({store, queues}: Services): void {
	store.afterCommit(() => queues.publish({type: 'custom_profile_fields', fields: presentFields(store)}));
}
