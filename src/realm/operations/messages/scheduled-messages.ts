import {handler} from '../../http/handler.js';
import {readKind} from '../../messages/recipients.js';
import {
	createScheduledMessage as create,
	listScheduledMessages,
	deleteScheduledMessage as remove,
	updateScheduledMessage as update,
} from '../../scheduled/scheduled-messages.js';

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

export const getScheduledMessages = handler('getScheduledMessages', ({services: {store}, caller}) => ({
	scheduled_messages: listScheduledMessages(store, caller),
}));

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

export const deleteScheduledMessage = handler('deleteScheduledMessage', ({services, caller, parameters}) => {
	remove(services, caller, parameters.scheduled_message_id);
	return {};
});
