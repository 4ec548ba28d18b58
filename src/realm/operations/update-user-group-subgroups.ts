import {badRequest} from '../errors.js';
import {addSubgroups, removeSubgroups} from '../groups/subgroups.js';
import {handler} from '../http/handler.js';

export const updateUserGroupSubgroups = handler('updateUserGroupSubgroups', ({services, caller, parameters}) => {
	const {user_group_id: groupId, add, delete: remove} = parameters;
	if (add.length === 0 && remove.length === 0) {
		throw badRequest('Nothing to do. Specify at least one of "add" or "delete".');
	}

	services.store.transaction(() => {
		if (add.length > 0) {
			addSubgroups(services, caller, {groupId, subgroupIds: add});
		}

		if (remove.length > 0) {
			removeSubgroups(services, caller, {groupId, subgroupIds: remove});
		}
	});

	return {};
});
