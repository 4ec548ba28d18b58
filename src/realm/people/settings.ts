// What people have set for themselves, and what those who join later start with.

import {type UserSettings, userSettings} from '../../api/index.js';
import type {Store} from '../store/store.js';

export type SettingName = keyof UserSettings;
type Value = UserSettings[SettingName];

/** A setting and its new value. */
export interface Change {
	readonly name: SettingName;
	readonly value: Value;
}

export function readSetting<Name extends SettingName>(
	store: Store,
	{id}: {readonly id: number},
	name: Name,
): UserSettings[Name] {
	const row = store.get<{value: string}>('SELECT value FROM user_settings WHERE user_id = ? AND name = ?', id, name);
	return parseValue(row, name);
}

export function writeSetting(store: Store, {id}: {readonly id: number}, {name, value}: Change): void {
	store.run(
		'INSERT INTO user_settings (user_id, name, value) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
		id,
		name,
		JSON.stringify(value),
	);
}

export function readDefault<Name extends SettingName>(store: Store, name: Name): UserSettings[Name] {
	const row = store.get<{value: string}>('SELECT value FROM realm_user_settings_defaults WHERE name = ?', name);
	return parseValue(row, name);
}

export function writeDefault(store: Store, {name, value}: Change): void {
	store.run(
		'INSERT INTO realm_user_settings_defaults (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
		name,
		JSON.stringify(value),
	);
}

/** Gives somebody new the defaults of now: those who are here already keep what they have. */
export function takeDefaults(store: Store, userId: number): void {
	store.run(
		'INSERT INTO user_settings (user_id, name, value) SELECT ?, name, value FROM realm_user_settings_defaults',
		userId,
	);
}

function parseValue<Name extends SettingName>(row: {value: string} | undefined, name: Name): UserSettings[Name] {
	// Only values that fit are written, and those of the table fit by their type.
	return (row ? JSON.parse(row.value) : userSettings[name].initial) as UserSettings[Name];
}

/** The settings that a realm of this feature level knows. */
export function settingNames(featureLevel: number): SettingName[] {
	// The table has no other keys.
	const names = Object.keys(userSettings) as SettingName[];
	return names.filter(name => (userSettings[name].since ?? 0) <= featureLevel);
}

/** The settings that were given, out of decoded parameters. */
export function givenSettings(parameters: Readonly<Partial<Record<SettingName, Value | undefined>>>): Change[] {
	return settingNames(Number.POSITIVE_INFINITY).flatMap(name => {
		const value = parameters[name];
		return value === undefined ? [] : [{name, value}];
	});
}
