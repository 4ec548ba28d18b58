import {handler} from '../http/handler.js';
import {maxMessageId} from '../messages/rows.js';
import {presentUser} from '../people/present.js';

export const getOwnUser = handler('getOwnUser', ({services, caller}) => ({
	...presentUser(services, caller, {viewer: caller, clientGravatar: false, withProfile: true}),
	max_message_id: maxMessageId(services.store),
}));
