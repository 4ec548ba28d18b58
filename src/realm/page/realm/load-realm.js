// Loads what the page needs: event queue, people, channels, and the newest messages of one place.

import {ApiError} from './api.js';

const RECENT = 300;

/** What the page hears of. */
const EVENT_TYPES = [
	'message',
	'update_message',
	'delete_message',
	'reaction',
	'typing',
	'presence',
	'user_status',
	'realm_user',
	'realm_bot',
	'realm_emoji',
	'subscription',
	'stream',
	'drafts',
	'scheduled_messages',
];

const STATE_TYPES = ['message', 'realm', 'presence', 'user_status', 'realm_emoji', 'drafts', 'scheduled_messages'];

/**
 * Everything that the first picture needs, in requests side by side: on a slow line, each round trip counts.
 * @param loadFirst fetches the messages of the first place
 */
export async function loadRealm(api, loadFirst) {
	const [me, queue, directory, first] = await Promise.all([
		api.get('users/me'),
		register(api),
		loadDirectory(api),
		// The address may name a place that is not there.
		loadFirst().catch(() => undefined),
	]);

	return {
		queueId: queue.queue_id,
		lastEventId: queue.last_event_id,
		newestId: queue.max_message_id,
		first,
		fields: {
			me,
			...directory,
			realmName: queue.realm_name,
			maxTopicLength: queue.max_topic_length,
			present: presentIds(queue, directory.users),
			statuses: new Map(Object.entries(queue.user_status ?? {}).map(([id, status]) => [Number(id), status])),
			emoji: emojiOf(queue),
			drafts: queue.drafts ?? [],
			scheduled: queue.scheduled_messages ?? [],
		},
	};
}

/** Guests may not hear of all public channels. */
async function register(api) {
	const ask = all_public_streams =>
		api.post('register', {
			event_types: EVENT_TYPES,
			fetch_event_types: STATE_TYPES,
			apply_markdown: true,
			all_public_streams,
			client_capabilities: {
				notification_settings_null: true,
				empty_topic_name: true,
				bulk_message_deletion: true,
				stream_typing_notifications: true,
			},
		});
	return await ask(true).catch(error => {
		if (error instanceof ApiError && error.status === 400) {
			return ask(false);
		}

		throw error;
	});
}

/** The newest messages of all places, for the counts of unread ones. */
export async function loadRecent(api) {
	const {messages} = await api.get('messages', {
		anchor: 'newest',
		num_before: RECENT,
		num_after: 0,
		allow_empty_topic_name: true,
	});
	return messages;
}

/** People and bots, and channels. */
export async function loadDirectory(api) {
	const [{members}, {streams: channels}] = await Promise.all([api.get('users'), api.get('streams')]);
	return {users: new Map(members.map(user => [user.user_id, user])), channels};
}

/** Channel ID → its topics, latest first. */
export async function loadTopics(api, channels) {
	return new Map(
		await Promise.all(
			channels.map(async ({stream_id: id}) => {
				const {topics} = await api.get(`users/me/${id}/topics`, {allow_empty_topic_name: true});
				return [id, topics];
			}),
		),
	);
}

/** Active within the time that the service counts as online. */
function presentIds({presences = {}, server_timestamp: now = Date.now() / 1000}, users) {
	const byEmail = new Map([...users.values()].map(user => [user.email, user.user_id]));
	const isActive = presence => (presence.aggregated?.timestamp ?? presence.active_timestamp ?? 0) > now - 200;
	return new Set(
		Object.entries(presences)
			.filter(([, presence]) => isActive(presence))
			.map(([name]) => byEmail.get(name) ?? Number(name)),
	);
}

/** The realm's own emoji that can be used. */
export function emojiOf({realm_emoji = {}}) {
	return Object.values(realm_emoji).filter(({deactivated}) => !deactivated);
}
