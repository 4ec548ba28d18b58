import {mayReadChannel} from '../channels/access.js';
import {findChannel} from '../channels/channels.js';
import {badRequest} from '../errors.js';
import {handler} from '../http/handler.js';
import {readNamedTopic} from '../messages/text.js';
import {Policy} from '../topics/policy.js';
import {setTopicPolicy} from '../topics/user-topics.js';

export const updateUserTopic = handler('updateUserTopic', ({services, caller, parameters}) => {
	const {store} = services;
	const {stream_id: channelId, topic, visibility_policy: policy} = parameters;
	const channel = findChannel(store, channelId);
	// Whoever lost a channel may still forget what they thought of its topics.
	const isOpen = channel && !channel.is_archived && mayReadChannel(store, caller, channel);
	if (!channel || (policy !== Policy.none && !isOpen)) {
		throw badRequest('Invalid channel ID');
	}

	setTopicPolicy(services, caller, {channel, topic: readNamedTopic(topic, services)}, policy);
	return {};
});
