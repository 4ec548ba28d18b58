import {handler} from '../http/handler.js';
import {type Account, isAdministrator, isBot, listAccounts} from '../people/accounts.js';

export const devListUsers = handler('devListUsers', ({services: {store, site}}) => {
	const people = listAccounts(store).filter(account => account.is_active && !isBot(account));
	const present = ({email, full_name, role, id}: Account) => ({email, realm_url: site, full_name, role, user_id: id});

	return {
		direct_admins: people.filter(isAdministrator).map(present),
		direct_users: people.filter(account => !isAdministrator(account)).map(present),
	};
});
