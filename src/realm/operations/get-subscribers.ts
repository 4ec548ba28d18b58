import {maySeeChannel} from '../channels/access.js';
import {findChannel, subscriberIds} from '../channels/channels.js';
import {badRequest} from '../errors.js';
import {handler} from '../http/handler.js';

export const getSubscribers = handler('getSubscribers', ({services: {store}, caller, parameters}) => {
	const channel = findChannel(store, parameters.stream_id);
	if (!channel || channel.is_archived || !maySeeChannel(store, caller, channel)) {
		throw badRequest('Invalid channel ID');
	}

	return {subscribers: subscriberIds(store, channel.id)};
});
