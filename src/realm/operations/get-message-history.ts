import {handler} from '../http/handler.js';
import {editsOf, snapshots} from '../messages/edit-history.js';
import {findReadable} from '../messages/rows.js';

export const getMessageHistory = handler('getMessageHistory', ({services: {store}, caller, parameters}) => {
	const row = findReadable(store, caller, parameters.message_id);
	const how = {allowEmptyTopicName: parameters.allow_empty_topic_name};
	return {message_history: snapshots(row, editsOf(store, row.id), how)};
});
