import {badRequest} from '../../errors.js';
import {handler} from '../../http/handler.js';
import {tellTypingInChannel, tellTypingToPeople} from '../../people/typing.js';

export const setTypingStatus = handler('setTypingStatus', ({services, caller, parameters}) => {
	const {op, type, to, stream_id: channelId, topic} = parameters;
	const typing = {sender: caller, op};
	if (type === 'direct') {
		tellTypingToPeople(services, typing, to ?? missing("Missing 'to' argument"));
		return {};
	}

	tellTypingInChannel(services, typing, {
		channelId: channelId ?? missing("Missing 'stream_id' argument"),
		topic: topic ?? missing('Missing topic'),
	});
	return {};
});

function missing(complaint: string): never {
	throw badRequest(complaint);
}
