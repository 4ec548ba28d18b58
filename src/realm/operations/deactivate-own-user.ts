import {handler} from '../http/handler.js';
import {deactivateSelf} from '../people/deactivate.js';

export const deactivateOwnUser = handler('deactivateOwnUser', ({services, caller}) => {
	deactivateSelf(services, caller);
	return {};
});
