import {badRequest, incompatible} from '../errors.js';
import {handler} from '../http/handler.js';
import type {ChannelReference} from '../messages/recipients.js';
import {readNamedTopic} from '../messages/text.js';
import {addMute, removeMute} from '../topics/muting.js';

export const muteTopic = handler('muteTopic', ({services, caller, parameters}) => {
	const channel = readChannel(parameters.stream_id, parameters.stream);
	const change = parameters.op === 'add' ? addMute : removeMute;
	change(services, caller, {channel, topic: readNamedTopic(parameters.topic, services)});
	return {};
});

/** By exactly one of its ID and its name. */
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
