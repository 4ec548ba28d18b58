import {handler} from '../http/handler.js';
import {presentForReader} from '../messages/present.js';
import {findReadable} from '../messages/rows.js';
import {visitor} from '../people/accounts.js';

export const getMessage = handler('getMessage', ({services: {store}, caller, parameters}) => {
	const row = findReadable(store, caller ?? visitor, parameters.message_id);
	const message = presentForReader(store, row, {
		applyMarkdown: parameters.apply_markdown,
		allowEmptyTopicName: parameters.allow_empty_topic_name,
		clientGravatar: true,
		withoutLogin: !caller,
	});

	return {message, raw_content: row.content};
});
