import {maySeeChannel} from '../channels/access.js';
import {findChannel} from '../channels/channels.js';
import {presentChannel} from '../channels/present.js';
import {badRequest} from '../errors.js';
import {handler} from '../http/handler.js';

export const getStreamById = handler('getStreamById', ({services, caller, parameters}) => {
	const channel = findChannel(services.store, parameters.stream_id);
	if (!channel || channel.is_archived || !maySeeChannel(services.store, caller, channel)) {
		throw badRequest('Invalid channel ID');
	}

	return {stream: presentChannel(services, channel)};
});
