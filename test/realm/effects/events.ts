import {cause} from '../realm-kit.js';
import {effects, type Given} from './effect.js';
import type {World} from './world.js';

/** The events that bob's queue heard while alice wrote in two channels and said that she is here. */
async function heard({alice, bob, watch}: World, given: Given<'register'>, listener = bob) {
	const events = await watch(listener, given);
	await alice.sendMessage({type: 'channel', to: 'general', topic: 'soup', content: '*hot*'});
	await alice.sendMessage({type: 'channel', to: 'lunch', topic: '', content: 'bread'});
	await alice.updatePresence({status: 'active', ping_only: true});
	return events();
}

/** A field of each message heard. */
async function messages(world: World, given: Given<'register'>, field: string, listener = world.bob) {
	const events = await heard(world, given, listener);
	return events.filter(({type}) => type === 'message').map(({message}) => Object(message)[field]);
}

const capable = (capability: object) => ({notification_settings_null: true, ...capability});

export const events = [
	...effects(
		'register',
		{event_types: [['message'], ['presence'], ['message', 'message'], ['presence']]},
		async (world, given) => (await heard(world, given)).map(({type}) => type),
	),
	...effects(
		'register',
		{
			apply_markdown: [true, false, ['<p><em>hot</em></p>', '<p>bread</p>'], ['*hot*', 'bread']],
			narrow: [[['topic', 'soup']], [['channel', 'lunch']], ['*hot*'], ['bread']],
		},
		(world, given) => messages(world, given, 'content'),
	),
	...effects(
		'register',
		{client_gravatar: [true, false, 'object', 'string']},
		async (world, given) => typeof (await messages(world, given, 'avatar_url'))[0],
	),
	// Olivia is not subscribed to lunch.
	...effects('register', {all_public_streams: [true, false, ['general', 'lunch'], ['general']]}, (world, given) =>
		messages(world, given, 'display_recipient', world.olivia),
	),
	...effects(
		'register',
		{fetch_event_types: [['message'], ['drafts'], ['max_message_id'], ['drafts']]},
		async ({bob}, given) => {
			const state = await bob.register({event_types: ['presence'], ...given});
			return ['max_message_id', 'drafts', 'presences'].filter(name => name in state);
		},
	),
	...effects('register', {include_subscribers: [true, false, [3, 4, 5, 6], undefined]}, async ({bob}, given) => {
		const {subscriptions} = await bob.register({fetch_event_types: ['subscription'], ...given});
		return subscriptions?.find(({name}) => name === 'lunch')?.subscribers;
	}),
	...effects(
		'register',
		{slim_presence: [true, false, [4, undefined], [4, 'alice@bothy.example']]},
		async (world, given) => {
			const [presence] = await heard(world, {event_types: ['presence'], ...given});
			return [presence?.user_id, presence?.email];
		},
	),
	...effects(
		'register',
		{presence_history_limit_days: [1, 14, [], ['alice@bothy.example']]},
		async ({alice, bob, pass}, given) => {
			await alice.updatePresence({status: 'active'});
			pass(3 * 24 * 3_600_000);
			const {presences} = await bob.register({fetch_event_types: ['presence'], ...given});
			return Object.keys(presences ?? {});
		},
	),
	...effects(
		'register',
		{
			client_capabilities: [
				capable({empty_topic_name: true, simplified_presence_events: true}),
				capable({empty_topic_name: false, simplified_presence_events: false}),
				{topics: ['soup', ''], presence: ['presences', 'type']},
				{topics: ['soup', 'general chat'], presence: ['email', 'presence', 'server_timestamp', 'type', 'user_id']},
			],
		},
		async (world, given) => {
			const all = await heard(world, given);
			return {
				topics: all.filter(({type}) => type === 'message').map(({message}) => Object(message).subject),
				presence: Object.keys(all.find(({type}) => type === 'presence') ?? {}).sort(),
			};
		},
	),
	...effects(
		'register',
		{queue_lifespan_secs: [3600, 60, 'kept', 'BAD_EVENT_QUEUE_ID']},
		async ({bob, pass}, given) => {
			const {queue_id = ''} = await bob.register(given);
			pass(120_000);
			const poll = bob.getEvents({queue_id, last_event_id: -1, dont_block: true});
			return poll.then(
				() => 'kept',
				error => error.code,
			);
		},
	),
	...effects('getEvents', {dont_block: [true, false, [], ['heartbeat']]}, async ({bob, realm}, given) => {
		const {queue_id = ''} = await bob.register({event_types: ['message'], queue_lifespan_secs: 604_800});
		let isOver = false;
		const poll = bob.getEvents({queue_id, last_event_id: -1, ...given}).finally(() => {
			isOver = true;
		});
		// Nothing happens: a poll that is held ends with a heartbeat.
		while (!isOver) {
			await cause(realm, '/clock', {advance_ms: 55_000});
		}

		return (await poll).events.map(({type}) => type);
	}),
];
