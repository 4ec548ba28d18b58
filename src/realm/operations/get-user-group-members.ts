import {groupToRead} from '../groups/access.js';
import {handler} from '../http/handler.js';
import {directMembersOf, membersOf} from '../people/groups.js';

export const getUserGroupMembers = handler('getUserGroupMembers', ({services: {store}, parameters}) => {
	const group = groupToRead(store, parameters.user_group_id);
	const members = parameters.direct_member_only ? directMembersOf(store, group.id) : membersOf(store, group.id);
	return {members: members.map(account => account.id)};
});
