import {handler} from '../http/handler.js';
import {changeStatus} from '../people/status.js';

export const updateStatus = handler('updateStatus', ({services, caller, parameters}) => {
	changeStatus(services, caller, parameters);
	return {};
});
