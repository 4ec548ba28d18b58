import {badRequest} from '../errors.js';
import {handler} from '../http/handler.js';
import {editsOf, snapshots} from '../messages/edit-history.js';
import {selectMessages} from '../messages/rows.js';

export const getMessageHistory = handler('getMessageHistory', ({services: {store}, caller, parameters}) => {
	const [row] = selectMessages(store, caller, {
		conditions: [{sql: 'm.id = ?', values: [parameters.message_id]}],
		limit: 1,
	});
	if (!row) {
		throw badRequest('Invalid message(s)');
	}

	const how = {allowEmptyTopicName: parameters.allow_empty_topic_name};
	return {message_history: snapshots(row, editsOf(store, row.id), how)};
});
