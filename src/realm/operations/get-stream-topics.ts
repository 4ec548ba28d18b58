import {mayReadChannel} from '../channels/access.js';
import {findChannel} from '../channels/channels.js';
import {badRequest} from '../errors.js';
import {handler} from '../http/handler.js';
import {presentTopic} from '../messages/present.js';
import {selectMessages} from '../messages/rows.js';

export const getStreamTopics = handler('getStreamTopics', ({services: {store}, caller, parameters}) => {
	const channel = findChannel(store, parameters.stream_id);
	if (!channel || channel.is_archived || !mayReadChannel(store, caller, channel)) {
		throw badRequest('Invalid channel ID');
	}

	const rows = selectMessages(store, caller, {
		conditions: [{sql: 'c.id = ?', values: [channel.id]}],
		newestFirst: true,
		limit: -1,
	});
	// The newest message of a topic comes first, and lends it its spelling.
	const seen = new Set<string>();
	const newest = rows.filter(row => !seen.has(row.topic_key) && seen.add(row.topic_key));

	return {
		topics: newest.map(row => ({
			name: presentTopic(row, {allowEmptyTopicName: parameters.allow_empty_topic_name}),
			max_id: row.id,
		})),
	};
});
