import {handler} from '../http/handler.js';
import {addPlayground as add, removePlayground as remove} from '../linkifiers/playgrounds.js';

export const addPlayground = handler('addPlayground', ({services, parameters}) => ({id: add(services, parameters)}));

export const removePlayground = handler('removePlayground', ({services, parameters}) => {
	remove(services, parameters.playground_id);
	return {};
});
