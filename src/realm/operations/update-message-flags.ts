import {handler} from '../http/handler.js';
import {presentIgnored, updateFlags} from '../messages/update-flags.js';

export const updateMessageFlags = handler('updateMessageFlags', ({services, caller, parameters}) => {
	const {messages, op, flag} = parameters;
	const {ignoredChannelIds} = updateFlags(services, caller, {messageIds: messages, op, flag});

	return {messages, ...presentIgnored(services, ignoredChannelIds)};
});
