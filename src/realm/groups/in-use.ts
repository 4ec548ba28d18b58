// Where a group is used: a group in use cannot be deactivated (service-facts.md 6.9).

import type {GroupSetting} from '../../api/index.js';
import {listChannels} from '../channels/channels.js';
import {channelSettings, readChannelSetting} from '../channels/settings.js';
import {RealmError} from '../errors.js';
import {organization} from '../organization.js';
import {directSubgroupIds, listGroups} from '../people/groups.js';
import type {Store} from '../store/store.js';
import {groupSettings, readGroupSetting, settingGroupIds} from './settings.js';

export function refuseGroupInUse(store: Store, groupId: number): void {
	const objections = objectionsTo(store, groupId);
	if (objections.length > 0) {
		throw new RealmError('Cannot deactivate user group in use.', 'CANNOT_DEACTIVATE_GROUP_IN_USE', 400, {objections});
	}
}

function objectionsTo(store: Store, groupId: number): object[] {
	const groups = listGroups(store).filter(group => !group.deactivated);
	const supergroups = groups.filter(group => directSubgroupIds(store, group.id).includes(groupId));
	const channels = listChannels(store).filter(channel => !channel.is_archived);

	return [
		...(supergroups.length > 0 ? [{type: 'subgroup', supergroup_ids: supergroups.map(group => group.id)}] : []),
		...channels.map(channel => ({
			type: 'channel',
			channel_id: channel.id,
			settings: channelSettings.filter(name => names(readChannelSetting(store, channel.id, name), groupId)),
		})),
		...groups.map(group => ({
			type: 'user_group',
			group_id: group.id,
			settings: groupSettings.filter(name => names(readGroupSetting(store, group, name), groupId)),
		})),
		{type: 'realm', settings: columnsWith(organization(store), groupId)},
	].filter(objection => !('settings' in objection) || objection.settings.length > 0);
}

function names(value: GroupSetting, groupId: number): boolean {
	return settingGroupIds(value).includes(groupId);
}

/** Permissions are columns named `can_…` that contain the ID of a group. */
function columnsWith(row: object, groupId: number): string[] {
	return Object.entries(row).flatMap(([name, value]) => (name.startsWith('can_') && value === groupId ? [name] : []));
}
