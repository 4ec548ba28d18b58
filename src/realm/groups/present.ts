// The API object of a group (spec.md, "User group object").

import type {UserGroup} from '../../api/index.js';
import {directMembersOf, directSubgroupIds, type GroupRow} from '../people/groups.js';
import type {Store} from '../store/store.js';
import {groupSettings, readGroupSetting} from './settings.js';

export function presentGroup(store: Store, group: GroupRow): UserGroup {
	return {
		id: group.id,
		name: group.name,
		description: group.description,
		date_created: group.date_created,
		creator_id: group.creator_id,
		members: directMembersOf(store, group.id).map(account => account.id),
		direct_subgroup_ids: directSubgroupIds(store, group.id),
		is_system_group: group.is_system_group === 1,
		deactivated: group.deactivated === 1,
		...Object.fromEntries(groupSettings.map(name => [name, readGroupSetting(store, group, name)])),
	};
}
