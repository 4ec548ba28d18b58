import {groupToRead} from '../groups/access.js';
import {handler} from '../http/handler.js';
import {directSubgroupIds, groupAndSubgroupIds} from '../people/groups.js';

export const getUserGroupSubgroups = handler('getUserGroupSubgroups', ({services: {store}, parameters}) => {
	const {id} = groupToRead(store, parameters.user_group_id);
	const subgroups = parameters.direct_subgroup_only
		? directSubgroupIds(store, id)
		: groupAndSubgroupIds(store, id).filter(each => each !== id);
	return {subgroups};
});
