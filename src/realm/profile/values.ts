// People's values of profile fields, and their changes, which are published to everybody (service-facts.md 3.3, 6.11).

import type {ProfileValues, User} from '../../api/index.js';
import {badRequest} from '../errors.js';
import {renderMarkdown} from '../markdown/markdown.js';
import {type Account, isAdministrator} from '../people/accounts.js';
import type {Services} from '../services.js';
import type {Store} from '../store/store.js';
import {checkValue} from './check-value.js';
import {type FieldRow, fieldTypes, findField, listFields} from './fields.js';

/** By field ID, as in user objects. */
export function profileData(store: Store, {id}: Account): NonNullable<User['profile_data']> {
	const rows = store.all<{field_id: number; type: number; value: string}>(
		`SELECT v.field_id, f.type, v.value FROM profile_values v JOIN profile_fields f ON f.id = v.field_id
		WHERE v.user_id = ? ORDER BY v.field_id`,
		id,
	);
	return Object.fromEntries(rows.map(row => [row.field_id, presentValue(store, row)]));
}

/** Makes all changes, or none. Call it within a transaction. */
export function setProfileValues(
	services: Services,
	{caller, target, values}: {caller: Account; target: Account; values: ProfileValues},
): void {
	for (const {id, value} of values) {
		const field = findChangeable(services.store, caller, id);
		if (value === null || value.length === 0) {
			removeValue(services, target, field);
		} else {
			writeValue(services, target, {field, value: checkValue(services.store, field, value)});
		}
	}
}

export function removeProfileValues(services: Services, caller: Account, fieldIds: readonly number[]): void {
	for (const id of fieldIds) {
		removeValue(services, caller, findChangeable(services.store, caller, id));
	}
}

export function removeProfile(services: Services, target: Account): void {
	for (const field of listFields(services.store)) {
		removeValue(services, target, field);
	}
}

function findChangeable(store: Store, caller: Account, fieldId: number): FieldRow {
	const field = findField(store, fieldId);
	if (!field.editable_by_user && !isAdministrator(caller)) {
		throw badRequest('You are not allowed to change this field. Contact an administrator to update it.');
	}

	return field;
}

function writeValue(
	services: Services,
	target: Account,
	{field, value}: {readonly field: FieldRow; readonly value: string},
): void {
	if (storedValue(services.store, target, field) === value) {
		return;
	}

	services.store.run(
		'INSERT OR REPLACE INTO profile_values (field_id, user_id, value) VALUES (?, ?, ?)',
		field.id,
		target.id,
		value,
	);
	publishValue(services, target, {id: field.id, ...presentValue(services.store, {type: field.type, value})});
}

function removeValue(services: Services, target: Account, field: FieldRow): void {
	if (storedValue(services.store, target, field) === undefined) {
		return;
	}

	services.store.run('DELETE FROM profile_values WHERE field_id = ? AND user_id = ?', field.id, target.id);
	publishValue(services, target, {id: field.id, value: null});
}

function storedValue(store: Store, {id}: Account, field: FieldRow): string | undefined {
	const sql = 'SELECT value FROM profile_values WHERE field_id = ? AND user_id = ?';
	return store.get<{value: string}>(sql, field.id, id)?.value;
}

function publishValue({store, queues}: Services, {id}: Account, value: object): void {
	const person = {user_id: id, custom_profile_field: value};
	store.afterCommit(() => queues.publish({type: 'realm_user', op: 'update', person}));
}

/** The values of text fields are Markdown; the rendered text is added. */
function presentValue(store: Store, {type, value}: {readonly type: number; readonly value: string}) {
	const isMarkdown = type === fieldTypes.SHORT_TEXT.id || type === fieldTypes.LONG_TEXT.id;
	return {value, ...(isMarkdown && {rendered_value: renderMarkdown(store, value).html})};
}
