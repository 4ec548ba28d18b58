import {checkUserIds} from '../groups/check-user-ids.js';
import {insertMembers} from '../groups/members.js';
import {checkGroupName} from '../groups/name.js';
import {publishNewGroup} from '../groups/publish.js';
import {checkSetting, groupSettings, plainSetting, writeGroupSetting} from '../groups/settings.js';
import {checkSubgroups, insertSubgroups} from '../groups/subgroups.js';
import {handler} from '../http/handler.js';

/** From this level on, the answer names the new group. */
const FIRST_LEVEL_WITH_ID = 317;

export const createUserGroup = handler('createUserGroup', ({services, caller, parameters}) => {
	const {store, clock, featureLevel} = services;
	const {description, members, subgroups} = parameters;
	const id = store.transaction(() => {
		checkUserIds(store, members);
		const name = checkGroupName(store, parameters.name);
		checkSubgroups(store, subgroups);
		const groupId = store.run(
			'INSERT INTO user_groups (name, description, date_created, creator_id) VALUES (?, ?, ?, ?)',
			name,
			description,
			clock.seconds(),
			caller.id,
		);
		insertMembers(store, groupId, members);
		insertSubgroups(store, groupId, subgroups);
		for (const setting of groupSettings) {
			const value = parameters[setting];
			if (value !== undefined) {
				checkSetting(store, setting, value);
				writeGroupSetting(store, groupId, {name: setting, value: plainSetting(value)});
			}
		}

		publishNewGroup(services, groupId);
		return groupId;
	});

	return featureLevel < FIRST_LEVEL_WITH_ID ? {} : {group_id: id};
});
