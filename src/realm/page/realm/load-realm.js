// Loads what the page needs before the first event: event queue, people, channels, topics, recent messages.

const RECENT = 500;

/** Opens the queue first, so that no event is missed between fetching and polling. */
export async function loadRealm(api) {
	const me = await api.get('users/me');
	const queue = await api.post('register', {
		event_types: ['message', 'realm_user', 'subscription', 'stream'],
		fetch_event_types: ['message', 'realm'],
		apply_markdown: true,
		all_public_streams: !me.is_guest,
		client_capabilities: {notification_settings_null: true, empty_topic_name: true},
	});
	const [directory, {messages}] = await Promise.all([
		loadDirectory(api),
		api.get('messages', {anchor: 'newest', num_before: RECENT, num_after: 0, allow_empty_topic_name: true}),
	]);

	return {
		queueId: queue.queue_id,
		lastEventId: queue.last_event_id,
		newestId: queue.max_message_id,
		recent: messages,
		fields: {me, ...directory, realmName: queue.realm_name, maxTopicLength: queue.max_topic_length},
	};
}

/** People and bots, channels and their topics. */
export async function loadDirectory(api) {
	const [{members}, {streams: channels}] = await Promise.all([api.get('users'), api.get('streams')]);
	const topics = await Promise.all(channels.map(channel => topicsOf(api, channel.stream_id)));

	return {
		users: new Map(members.map(user => [user.user_id, user])),
		channels,
		topics: new Map(channels.map((channel, index) => [channel.stream_id, topics[index]])),
	};
}

async function topicsOf(api, channelId) {
	const {topics} = await api.get(`users/me/${channelId}/topics`, {allow_empty_topic_name: true});
	return topics;
}
