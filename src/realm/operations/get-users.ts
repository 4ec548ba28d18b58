import {handler} from '../http/handler.js';
import {listAccounts} from '../people/accounts.js';
import {presentUser} from '../people/present.js';

export const getUsers = handler('getUsers', ({services, caller: viewer, parameters}) => {
	const {user_ids: ids, client_gravatar: clientGravatar, include_custom_profile_fields: withProfile} = parameters;
	const accounts = listAccounts(services.store).filter(account => ids?.includes(account.id) ?? true);

	return {members: accounts.map(account => presentUser(services, account, {viewer, clientGravatar, withProfile}))};
});
