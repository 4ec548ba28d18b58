import {mayReadChannel} from '../channels/access.js';
import {findChannel} from '../channels/channels.js';
import {badRequest} from '../errors.js';
import {handler} from '../http/handler.js';
import {presentTopic} from '../messages/present.js';
import {selectTopics} from '../messages/rows.js';

export const getStreamTopics = handler('getStreamTopics', ({services: {store}, caller, parameters}) => {
	const channel = findChannel(store, parameters.stream_id);
	if (!channel || channel.is_archived || !mayReadChannel(store, caller, channel)) {
		throw badRequest('Invalid channel ID');
	}

	const topics = selectTopics(store, caller, channel.id);

	return {
		topics: topics.map(row => ({
			name: presentTopic(row, {allowEmptyTopicName: parameters.allow_empty_topic_name}),
			max_id: row.max_id,
		})),
	};
});
