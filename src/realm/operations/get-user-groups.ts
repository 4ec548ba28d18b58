import {presentGroup} from '../groups/present.js';
import {handler} from '../http/handler.js';
import {listGroups} from '../people/groups.js';

export const getUserGroups = handler('getUserGroups', ({services: {store}, parameters}) => {
	const groups = listGroups(store).filter(group => parameters.include_deactivated_groups || !group.deactivated);
	return {user_groups: groups.map(group => presentGroup(store, group))};
});
