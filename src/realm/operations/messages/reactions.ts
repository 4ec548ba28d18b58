import {handler} from '../../http/handler.js';
import {addReaction as add, removeReaction as remove} from '../../reactions/reactions.js';

export const addReaction = handler('addReaction', ({services, caller, parameters}) => {
	add(services, caller, {
		messageId: parameters.message_id,
		name: parameters.emoji_name,
		code: parameters.emoji_code,
		type: parameters.reaction_type,
	});

	return {};
});

export const removeReaction = handler('removeReaction', ({services, caller, parameters}) => {
	remove(services, caller, {
		messageId: parameters.message_id,
		name: parameters.emoji_name,
		code: parameters.emoji_code,
		type: parameters.reaction_type,
	});

	return {};
});
