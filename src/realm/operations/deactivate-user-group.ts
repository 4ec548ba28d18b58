import {groupToDeactivate} from '../groups/access.js';
import {refuseGroupInUse} from '../groups/in-use.js';
import {publishDeactivation} from '../groups/publish.js';
import {handler} from '../http/handler.js';

export const deactivateUserGroup = handler('deactivateUserGroup', ({services, caller, parameters}) => {
	const {store} = services;
	const {id} = groupToDeactivate(store, caller, parameters.user_group_id);
	refuseGroupInUse(store, id);
	store.run('UPDATE user_groups SET deactivated = 1 WHERE id = ?', id);
	publishDeactivation(services, id);

	return {};
});
