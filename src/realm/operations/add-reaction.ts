import {handler} from '../http/handler.js';
import {addReaction as add} from '../reactions/reactions.js';

export const addReaction = handler('addReaction', ({services, caller, parameters}) => {
	add(services, caller, {
		messageId: parameters.message_id,
		name: parameters.emoji_name,
		code: parameters.emoji_code,
		type: parameters.reaction_type,
	});

	return {};
});
