import {handler} from '../http/handler.js';
import {listScheduledMessages} from '../scheduled/scheduled-messages.js';

export const getScheduledMessages = handler('getScheduledMessages', ({services: {store}, caller}) => ({
	scheduled_messages: listScheduledMessages(store, caller),
}));
