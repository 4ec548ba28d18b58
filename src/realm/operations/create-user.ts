import {handler} from '../http/handler.js';
import {createPerson} from '../people/create.js';

/** From this level on, the answer names the new user. */
const FIRST_LEVEL_WITH_ID = 30;

export const createUser = handler('createUser', ({services, caller, parameters}) => {
	const {email, full_name: name} = parameters;
	const id = createPerson(services, caller, {email: email.trim(), name: name.trim()});

	return services.featureLevel < FIRST_LEVEL_WITH_ID ? {} : {user_id: id};
});
