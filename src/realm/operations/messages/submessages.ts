import {handler} from '../../http/handler.js';
import {addSubmessage as add} from '../../submessages/submessages.js';

export const addSubmessage = handler('addSubmessage', ({services, caller, parameters}) => {
	const {message_id: messageId, msg_type: type, content} = parameters;
	services.store.transaction(() => add(services, caller, {messageId, type, content}));
	return {};
});
