import {handler} from '../http/handler.js';
import {deleteMessage as remove} from '../messages/delete.js';

export const deleteMessage = handler('deleteMessage', ({services, caller, parameters}) => {
	remove(services, caller, parameters.message_id);
	return {};
});
