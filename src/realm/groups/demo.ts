// The demo organization's groups: nested ones, one that not everybody may mention, and a deactivated one.

import {findAccountByEmail} from '../people/accounts.js';
import {findGroupByName, type SystemGroup, systemGroupId, systemGroups} from '../people/groups.js';
import type {Store} from '../store/store.js';
import {insertMembers} from './members.js';
import {type GroupSettingName, writeGroupSetting} from './settings.js';
import {insertSubgroups} from './subgroups.js';

interface DemoGroup {
	readonly name: string;
	readonly description: string;
	/** First names. The first member is the creator. */
	readonly members: readonly string[];
	readonly subgroups?: readonly string[];
	readonly settings?: Partial<Record<GroupSettingName, SystemGroup>>;
	readonly isDeactivated?: boolean;
}

const groups: readonly DemoGroup[] = [
	{name: 'kitchen', description: 'Who cooks', members: ['alice', 'carla']},
	{
		name: 'garden',
		description: 'Who waters the beds',
		members: ['bob', 'gus'],
		settings: {can_join_group: 'role:members'},
	},
	{name: 'helpers', description: 'Who lends a hand', members: ['mona'], subgroups: ['kitchen', 'garden']},
	{
		name: 'board',
		description: 'Who decides; members may not call them all at once',
		members: ['olivia', 'adam'],
		settings: {can_mention_group: 'role:moderators'},
	},
	{name: 'party', description: 'Last summer', members: ['alice', 'bob'], isDeactivated: true},
];

export function seedSystemGroups(store: Store): void {
	for (const name of Object.keys(systemGroups)) {
		const [, role = name] = name.split(':');
		store.run(
			'INSERT INTO user_groups (name, description, is_system_group) VALUES (?, ?, 1)',
			name,
			`System group: ${role}`,
		);
	}
}

export function seedGroups(store: Store, {now, emailOf}: {now: number; emailOf: (name: string) => string}): void {
	for (const {name, description, members, subgroups = [], settings = {}, isDeactivated} of groups) {
		const memberIds = members.flatMap(each => findAccountByEmail(store, emailOf(each))?.id ?? []);
		const id = store.run(
			'INSERT INTO user_groups (name, description, date_created, creator_id, deactivated) VALUES (?, ?, ?, ?, ?)',
			name,
			description,
			now,
			memberIds[0] ?? null,
			isDeactivated ? 1 : 0,
		);
		insertMembers(store, id, memberIds);
		insertSubgroups(
			store,
			id,
			subgroups.flatMap(each => findGroupByName(store, each)?.id ?? []),
		);
		for (const [setting, group] of Object.entries(settings)) {
			// Object.entries loses the type of the keys.
			writeGroupSetting(store, id, {name: setting as GroupSettingName, value: systemGroupId(store, group)});
		}
	}
}
