import {maySeeChannel} from '../channels/access.js';
import {findChannelByName} from '../channels/channels.js';
import {badRequest} from '../errors.js';
import {handler} from '../http/handler.js';

export const getStreamId = handler('getStreamId', ({services: {store}, caller, parameters}) => {
	const channel = findChannelByName(store, parameters.stream);
	if (!channel || channel.is_archived || !maySeeChannel(store, caller, channel)) {
		throw badRequest(`Invalid channel name '${parameters.stream}'`);
	}

	return {stream_id: channel.id};
});
