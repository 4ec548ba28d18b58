import {handler} from '../../http/handler.js';
import {findPerson} from '../../people/find-person.js';
import {changeStatus, readStatus} from '../../people/status.js';

export const updateStatus = handler('updateStatus', ({services, caller, parameters}) => {
	changeStatus(services, caller, parameters);
	return {};
});

export const getUserStatus = handler('getUserStatus', ({services: {store}, parameters}) => {
	return {status: readStatus(store, findPerson(store, parameters.user_id).id)};
});
