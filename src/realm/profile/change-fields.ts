// Creates, changes, orders and deletes the organization's profile fields.

import {badRequest} from '../errors.js';
import type {Services} from '../services.js';
import type {Store} from '../store/store.js';
import {checkFieldData, type FieldData, knownAccountName} from './field-data.js';
import {type FieldRow, fieldTypes, findField, listFields, publishFields} from './fields.js';

export interface FieldDetails {
	readonly name: string | undefined;
	readonly hint: string | undefined;
	readonly field_data: FieldData | undefined;
	readonly display_in_profile_summary: boolean | undefined;
	readonly required: boolean | undefined;
	readonly editable_by_user: boolean | undefined;
}

const MOST_IN_SUMMARY = 2;

/** Returns the new field's ID. */
export function createField(services: Services, type: number, details: FieldDetails): number {
	const {store} = services;
	return store.transaction(() => {
		const id = store.run(
			`INSERT INTO profile_fields (name, type, hint, field_data, position, display_in_profile_summary, required,
				editable_by_user)
			VALUES (?, ?, ?, ?, (SELECT COALESCE(MAX(position), -1) + 1 FROM profile_fields), ?, ?, ?)`,
			checkName(store, knownAccountName(type, details.field_data) ?? details.name ?? ''),
			type,
			details.hint ?? '',
			checkFieldData(type, details.field_data ?? {}),
			checkSummary(store, {type, isShown: details.display_in_profile_summary ?? false}),
			details.required ? 1 : 0,
			details.editable_by_user === false ? 0 : 1,
		);
		publishFields(services);
		return id;
	});
}

export function updateField(services: Services, id: number, details: FieldDetails): void {
	const {store} = services;
	store.transaction(() => {
		const field = findField(store, id);
		const {name, hint, field_data: data, display_in_profile_summary: isShown, required, editable_by_user} = details;
		store.run(
			`UPDATE profile_fields SET name = ?, hint = ?, field_data = ?, display_in_profile_summary = ?, required = ?,
				editable_by_user = ?
			WHERE id = ?`,
			name === undefined ? field.name : checkName(store, name, field),
			hint ?? field.hint,
			data === undefined ? field.field_data : checkFieldData(field.type, data),
			isShown === undefined
				? field.display_in_profile_summary
				: checkSummary(store, {type: field.type, isShown, except: id}),
			required === undefined ? field.required : Number(required),
			editable_by_user === undefined ? field.editable_by_user : Number(editable_by_user),
			id,
		);
		forgetLostOptions(store, findField(store, id));
		publishFields(services);
	});
}

export function reorderFields(services: Services, order: readonly number[]): void {
	const {store} = services;
	store.transaction(() => {
		if (listFields(store).some(({id}) => !order.includes(id))) {
			throw badRequest('Invalid order mapping.');
		}

		for (const [position, id] of order.entries()) {
			store.run('UPDATE profile_fields SET position = ? WHERE id = ?', position, id);
		}

		publishFields(services);
	});
}

/** Also deletes people's values. */
export function deleteField(services: Services, id: number): void {
	const {store} = services;
	store.transaction(() => {
		findField(store, id);
		store.run('DELETE FROM profile_fields WHERE id = ?', id);
		publishFields(services);
	});
}

function checkName(store: Store, wanted: string, present?: FieldRow): string {
	const name = wanted.trim();
	if (name === '') {
		throw badRequest('Label cannot be blank.');
	}

	if (name !== present?.name && listFields(store).some(field => field.name === name)) {
		throw badRequest('A field with that label already exists.');
	}

	return name;
}

function checkSummary(
	store: Store,
	{type, isShown, except}: {readonly type: number; readonly isShown: boolean; readonly except?: number},
): 0 | 1 {
	if (!isShown) {
		return 0;
	}

	if (type === fieldTypes.LONG_TEXT.id || type === fieldTypes.USER.id) {
		throw badRequest('Field type not supported for display in profile summary.');
	}

	const others = listFields(store).filter(field => field.display_in_profile_summary && field.id !== except);
	if (others.length >= MOST_IN_SUMMARY) {
		throw badRequest(`Only ${MOST_IN_SUMMARY} custom profile fields can be displayed in the profile summary.`);
	}

	return 1;
}

/** Deletes values that name an option which no longer exists. */
function forgetLostOptions(store: Store, field: FieldRow): void {
	if (field.type === fieldTypes.SELECT.id) {
		store.run(
			'DELETE FROM profile_values WHERE field_id = ? AND value NOT IN (SELECT key FROM json_each(?))',
			field.id,
			field.field_data,
		);
	}
}
