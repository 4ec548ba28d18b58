// People's settings, and the organization's defaults for new people.

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

/** Copies the current defaults to a new person. Existing people keep their settings. */
export function takeDefaults(store: Store, userId: number): void {
	store.run(
		'INSERT INTO user_settings (user_id, name, value) SELECT ?, name, value FROM realm_user_settings_defaults',
		userId,
	);
}

function parseValue<Name extends SettingName>(row: {value: string} | undefined, name: Name): UserSettings[Name] {
	// Only valid values are written, so the types of the table are right.
	return (row ? JSON.parse(row.value) : userSettings[name].initial) as UserSettings[Name];
}

/** The settings that this feature level has. */
export function settingNames(featureLevel: number): SettingName[] {
	// The table has only these keys.
	const names = Object.keys(userSettings) as SettingName[];
	return names.filter(name => (userSettings[name].since ?? 0) <= featureLevel);
}

/** Picks the settings out of decoded parameters. */
export function givenSettings(parameters: Readonly<Partial<Record<SettingName, Value | undefined>>>): Change[] {
	return settingNames(Number.POSITIVE_INFINITY).flatMap(name => {
		const value = parameters[name];
		return value === undefined ? [] : [{name, value}];
	});
}
