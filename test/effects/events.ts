import type {Client} from '../../src/client/client.js';
import {cause} from '../realm/realm-kit.js';
import type {Effects} from './effect.js';
import type {World} from './world.js';

type Registration = NonNullable<Parameters<Client['register']>[0]>;

interface Scene {
	readonly registration: Registration;
	/** What the others do once there is a queue. */
	readonly act?: (world: World) => Promise<unknown>;
	/** Whose queue it is. */
	readonly as?: string;
}

/** The events that a queue heard. */
async function heard(world: World, {registration, act = talk, as = 'bob'}: Scene) {
	const events = await world.watch(await world.as(as), registration);
	await act(world);
	return events();
}

/** Alice writes in two channels and to Bob, and says that she is here. */
async function talk(world: World) {
	const alice = await world.as('alice');
	await alice.sendMessage({type: 'channel', to: 'general', topic: 'soup', content: '*hot*'});
	await alice.sendMessage({type: 'channel', to: 'lunch', topic: '', content: 'bread'});
	await alice.updatePresence({status: 'active', ping_only: true});
}

/** A field of each message heard. */
async function messages(world: World, scene: Scene, field: string) {
	const events = await heard(world, scene);
	return events.filter(({type}) => type === 'message').map(({message}) => Object(message)[field]);
}

/** The state that comes with a queue of Bob's. */
async function stateOf(world: World, registration: Registration) {
	return (await world.as('bob')).register(registration);
}

const capable = (capability: object) => ({notification_settings_null: true, ...capability});

export const events: Effects = {
	register: {
		event_types: {
			values: [['message'], ['presence']],
			async outcome(world, event_types) {
				return (await heard(world, {registration: {event_types}})).map(({type}) => type);
			},
			expected: [['message', 'message'], ['presence']],
		},
		fetch_event_types: {
			values: [['message'], ['drafts']],
			async outcome(world, fetch_event_types) {
				const state = await stateOf(world, {event_types: ['presence'], fetch_event_types});
				return ['max_message_id', 'drafts', 'presences'].filter(name => name in state);
			},
			expected: [['max_message_id'], ['drafts']],
		},
		apply_markdown: {
			values: [true, false],
			outcome: (world, apply_markdown) => messages(world, {registration: {apply_markdown}}, 'content'),
			expected: [
				['<p><em>hot</em></p>', '<p>bread</p>'],
				['*hot*', 'bread'],
			],
		},
		client_gravatar: {
			values: [true, false],
			async outcome(world, client_gravatar) {
				const avatars = await messages(world, {registration: {client_gravatar}}, 'avatar_url');
				return avatars.map(avatar => typeof avatar);
			},
			expected: [
				['object', 'object'],
				['string', 'string'],
			],
		},
		all_public_streams: {
			values: [true, false],
			// Olivia is not subscribed to lunch.
			outcome: (world, all_public_streams) =>
				messages(world, {registration: {all_public_streams}, as: 'olivia'}, 'display_recipient'),
			expected: [['general', 'lunch'], ['general']],
		},
		narrow: {
			values: [[['topic', 'soup']], [['channel', 'lunch']]],
			outcome: (world, narrow) => messages(world, {registration: {narrow}}, 'content'),
			expected: [['*hot*'], ['bread']],
		},
		include_subscribers: {
			values: [true, false],
			async outcome(world, include_subscribers) {
				const {subscriptions} = await stateOf(world, {fetch_event_types: ['subscription'], include_subscribers});
				const lunch = subscriptions?.find(({name}) => name === 'lunch');
				return lunch?.subscribers;
			},
			expected: [[3, 4, 5, 6], undefined],
		},
		slim_presence: {
			values: [true, false],
			async outcome(world, slim_presence) {
				const [presence] = await heard(world, {registration: {event_types: ['presence'], slim_presence}});
				return [presence?.user_id, presence?.email];
			},
			expected: [
				[4, undefined],
				[4, 'alice@bothy.example'],
			],
		},
		presence_history_limit_days: {
			values: [1, 14],
			async outcome(world, presence_history_limit_days) {
				await (await world.as('alice')).updatePresence({status: 'active'});
				await cause(world.realm, '/clock', {advance_ms: 3 * 24 * 3_600_000});
				const {presences} = await stateOf(world, {fetch_event_types: ['presence'], presence_history_limit_days});
				return Object.keys(presences ?? {});
			},
			expected: [[], ['alice@bothy.example']],
		},
		client_capabilities: {
			values: [
				capable({empty_topic_name: true, simplified_presence_events: true}),
				capable({empty_topic_name: false, simplified_presence_events: false}),
			],
			async outcome(world, client_capabilities) {
				const all = await heard(world, {registration: {client_capabilities}});
				const presence = all.find(({type}) => type === 'presence');
				return [
					all.filter(({type}) => type === 'message').map(({message}) => Object(message).subject),
					Object.keys(presence ?? {}).sort(),
				];
			},
			expected: [
				[
					['soup', ''],
					['presences', 'type'],
				],
				[
					['soup', 'general chat'],
					['email', 'presence', 'server_timestamp', 'type', 'user_id'],
				],
			],
		},
		queue_lifespan_secs: {
			values: [3600, 60],
			async outcome(world, queue_lifespan_secs) {
				const bob = await world.as('bob');
				const {queue_id = ''} = await bob.register({queue_lifespan_secs});
				await cause(world.realm, '/clock', {advance_ms: 120_000});
				const poll = bob.getEvents({queue_id, last_event_id: -1, dont_block: true});
				return poll.then(
					() => 'kept',
					error => error.code,
				);
			},
			expected: ['kept', 'BAD_EVENT_QUEUE_ID'],
		},
	},
	getEvents: {
		dont_block: {
			values: [true, false],
			async outcome(world, dont_block) {
				const bob = await world.as('bob');
				const {queue_id = ''} = await bob.register({event_types: ['message'], queue_lifespan_secs: 604_800});
				let isOver = false;
				const poll = bob.getEvents({queue_id, last_event_id: -1, dont_block}).finally(() => {
					isOver = true;
				});
				// Nothing happens: a poll that is held ends with a heartbeat.
				while (!isOver) {
					await cause(world.realm, '/clock', {advance_ms: 55_000});
				}

				return (await poll).events.map(({type}) => type);
			},
			expected: [[], ['heartbeat']],
		},
	},
};
