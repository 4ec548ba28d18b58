import {badRequest} from '../errors.js';
import {handler} from '../http/handler.js';
import {presentForReader} from '../messages/present.js';
import {selectMessages} from '../messages/rows.js';
import {visitor} from '../people/accounts.js';

export const getMessage = handler('getMessage', ({services: {store}, caller, parameters}) => {
	const [row] = selectMessages(store, caller ?? visitor, {
		conditions: [{sql: 'm.id = ?', values: [parameters.message_id]}],
		limit: 1,
	});
	if (!row) {
		throw badRequest('Invalid message(s)');
	}

	const message = presentForReader(store, row, {
		applyMarkdown: parameters.apply_markdown,
		allowEmptyTopicName: parameters.allow_empty_topic_name,
		clientGravatar: true,
		withoutLogin: !caller,
	});

	return {message, raw_content: row.content};
});
