import {handler} from '../http/handler.js';
import {findAccountByEmail, isBot} from '../people/accounts.js';
import {logIn} from '../people/log-in.js';

/** The realm keeps no passwords: this one is every person's, and bots have none. */
const PASSWORD = 'bothy';

export const fetchApiKey = handler('fetchApiKey', ({services: {store}, parameters: {username, password}}) => {
	const account = findAccountByEmail(store, username);
	const isProved = password === PASSWORD && account !== undefined && !isBot(account);
	return logIn(store, isProved ? username : undefined);
});
