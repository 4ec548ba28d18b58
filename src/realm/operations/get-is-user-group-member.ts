import {badRequest} from '../errors.js';
import {groupToRead} from '../groups/access.js';
import {handler} from '../http/handler.js';
import {findAccount} from '../people/accounts.js';
import {isDirectMember, isInGroup} from '../people/groups.js';

export const getIsUserGroupMember = handler('getIsUserGroupMember', ({services: {store}, parameters}) => {
	const group = groupToRead(store, parameters.user_group_id);
	const account = findAccount(store, parameters.user_id);
	if (!account) {
		throw badRequest('No such user');
	}

	if (!account.is_active) {
		throw badRequest('User is deactivated');
	}

	const isMember = parameters.direct_member_only ? isDirectMember : isInGroup;
	return {is_user_group_member: isMember(store, account, group.id)};
});
