import {handler} from '../http/handler.js';
import {readKind} from '../messages/recipients.js';
import {createScheduledMessage as create} from '../scheduled/scheduled-messages.js';

export const createScheduledMessage = handler('createScheduledMessage', ({services, caller, parameters, client}) => {
	const id = create(services, caller, {
		kind: readKind(parameters.type),
		to: parameters.to,
		topic: parameters.topic,
		content: parameters.content,
		deliveryTimestamp: parameters.scheduled_delivery_timestamp,
		readBySender: parameters.read_by_sender,
		client,
	});

	return {scheduled_message_id: id};
});
