import {mayReadChannel} from '../../channels/access.js';
import {findChannel} from '../../channels/channels.js';
import {badRequest, incompatible} from '../../errors.js';
import {handler} from '../../http/handler.js';
import type {ChannelReference} from '../../messages/recipients.js';
import {readNamedTopic} from '../../messages/text.js';
import {addMute, removeMute} from '../../topics/muting.js';
import {Policy} from '../../topics/policy.js';
import {setTopicPolicy} from '../../topics/user-topics.js';

export const updateUserTopic = handler('updateUserTopic', ({services, caller, parameters}) => {
	const {store} = services;
	const {stream_id: channelId, topic, visibility_policy: policy} = parameters;
	const channel = findChannel(store, channelId);
	// A person who lost access to a channel may still remove their policies for its topics.
	const isOpen = channel && !channel.is_archived && mayReadChannel(store, caller, channel);
	if (!channel || (policy !== Policy.none && !isOpen)) {
		throw badRequest('Invalid channel ID');
	}

	setTopicPolicy(services, caller, {channel, topic: readNamedTopic(topic, services)}, policy);
	return {};
});

export const muteTopic = handler('muteTopic', ({services, caller, parameters}) => {
	const channel = readChannel(parameters.stream_id, parameters.stream);
	const change = parameters.op === 'add' ? addMute : removeMute;
	change(services, caller, {channel, topic: readNamedTopic(parameters.topic, services)});
	return {};
});

/** Finds a channel by either its ID or its name. */
function readChannel(id: number | undefined, name: string | undefined): ChannelReference {
	if (id !== undefined && name !== undefined) {
		throw incompatible(['stream_id', 'stream']);
	}

	if (name !== undefined) {
		return {name};
	}

	if (id === undefined) {
		throw badRequest("Missing 'stream_id' argument");
	}

	return {id};
}
