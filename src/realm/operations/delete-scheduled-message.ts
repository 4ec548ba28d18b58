import {handler} from '../http/handler.js';
import {deleteScheduledMessage as remove} from '../scheduled/scheduled-messages.js';

export const deleteScheduledMessage = handler('deleteScheduledMessage', ({services, caller, parameters}) => {
	remove(services, caller, parameters.scheduled_message_id);
	return {};
});
