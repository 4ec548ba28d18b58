import {handler} from '../http/handler.js';

export const deleteQueue = handler('deleteQueue', ({services, caller, parameters}) => {
	services.queues.remove(parameters.queue_id, caller.id);
	return {};
});
