import {handler} from '../http/handler.js';
import {readKind} from '../messages/recipients.js';
import {updateScheduledMessage as update} from '../scheduled/scheduled-messages.js';

export const updateScheduledMessage = handler('updateScheduledMessage', ({services, caller, parameters, client}) => {
	const {type, to, topic, content} = parameters;
	update(services, caller, parameters.scheduled_message_id, {
		kind: type && readKind(type),
		to,
		topic,
		content,
		deliveryTimestamp: parameters.scheduled_delivery_timestamp,
		client,
	});

	return {};
});
