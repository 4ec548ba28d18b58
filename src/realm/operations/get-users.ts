import {handler} from '../http/handler.js';
import {isBot, listAccounts, presentAccount} from '../people/accounts.js';

export const getUsers = handler('getUsers', ({services: {store}, caller, parameters}) => {
	const {user_ids: ids, client_gravatar: clientGravatar, include_custom_profile_fields: withProfile} = parameters;
	const accounts = listAccounts(store).filter(account => ids?.includes(account.id) ?? true);

	return {
		members: accounts.map(account => ({
			...presentAccount(store, account, {viewer: caller, clientGravatar}),
			...(withProfile && !isBot(account) && {profile_data: {}}),
		})),
	};
});
