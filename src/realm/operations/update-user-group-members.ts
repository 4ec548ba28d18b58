import {badRequest} from '../errors.js';
import {addMembers, removeMembers} from '../groups/members.js';
import {addSubgroups, removeSubgroups} from '../groups/subgroups.js';
import {handler} from '../http/handler.js';

export const updateUserGroupMembers = handler('updateUserGroupMembers', ({services, caller, parameters}) => {
	const {user_group_id: groupId, add, delete: remove, add_subgroups, delete_subgroups} = parameters;
	if ([add, remove, add_subgroups, delete_subgroups].every(ids => ids.length === 0)) {
		throw badRequest('Nothing to do. Specify at least one of "add", "delete", "add_subgroups" or "delete_subgroups".');
	}

	services.store.transaction(() => {
		if (add.length > 0) {
			addMembers(services, caller, {groupId, userIds: add});
		}

		if (remove.length > 0) {
			removeMembers(services, caller, {groupId, userIds: remove});
		}

		if (add_subgroups.length > 0) {
			addSubgroups(services, caller, {groupId, subgroupIds: add_subgroups});
		}

		if (delete_subgroups.length > 0) {
			removeSubgroups(services, caller, {groupId, subgroupIds: delete_subgroups});
		}
	});

	return {};
});
