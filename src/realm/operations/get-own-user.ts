import {handler} from '../http/handler.js';
import {maxMessageId} from '../messages/rows.js';
import {isBot, presentAccount} from '../people/accounts.js';

export const getOwnUser = handler('getOwnUser', ({services: {store}, caller}) => ({
	...presentAccount(store, caller, {viewer: caller, clientGravatar: false}),
	...(!isBot(caller) && {profile_data: {}}),
	max_message_id: maxMessageId(store),
}));
