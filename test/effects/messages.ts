import {createHash} from 'node:crypto';
import type {Client} from '../../src/client/client.js';
import type {Effects} from './effect.js';
import {unlessRefused} from './refusal.js';
import type {World} from './world.js';

const CHANNEL = {type: 'channel', to: 'lunch'} as const;
const LUNCH = 2;
const GENERAL = 1;

const SOUP: [string, string][] = [
	['channel', 'lunch'],
	['topic', 'soup'],
];

/** What bob finds in a topic, as it was written. */
async function read(world: World, topic = 'soup', channel = 'lunch'): Promise<string[]> {
	const bob = await world.as('bob');
	const {messages} = await bob.getMessages({
		anchor: 'newest',
		num_before: 20,
		narrow: [
			['channel', channel],
			['topic', topic],
		],
		apply_markdown: false,
	});
	return messages.map(({content}) => content);
}

/** Says so many things in lunch about soup; answers their IDs. */
async function sayAll(client: Client, contents: readonly string[], topic = 'soup'): Promise<number[]> {
	const ids: number[] = [];
	for (const content of contents) {
		ids.push((await client.sendMessage({...CHANNEL, topic, content})).id);
	}

	return ids;
}

type Fetch = Parameters<Client['getMessages']>[0];

/** What bob gets of three messages of alice around the second of them, unless the parameters say otherwise. */
async function fetched(world: World, parameters: (ids: readonly number[]) => Fetch) {
	const [alice, bob] = [await world.as('alice'), await world.as('bob')];
	const ids = await sayAll(alice, ['*one*', '*two*', '*three*']);
	const {messages} = await bob.getMessages({
		anchor: ids[1],
		num_before: 1,
		num_after: 1,
		narrow: SOUP,
		apply_markdown: false,
		...parameters(ids),
	});
	return messages;
}

const contentsOf = async (world: World, parameters: (ids: readonly number[]) => Fetch) =>
	(await fetched(world, parameters)).map(({content}) => content);

/** How bob sees a message without topic. */
async function withoutTopic(world: World) {
	const [alice, bob] = [await world.as('alice'), await world.as('bob')];
	const [message_id = 0] = await sayAll(alice, ['one'], '');
	return {bob, message_id};
}

type Update = Omit<Parameters<Client['updateMessage']>[0], 'message_id'>;

/** Alice changes the second of three messages about soup. */
async function update(world: World, change: Update) {
	const alice = await world.as('alice');
	const [, message_id = 0] = await sayAll(alice, ['one', 'two', 'three']);
	await unlessRefused(alice.updateMessage({message_id, ...change}));
}

/** Where bob finds a notice that messages were moved. */
async function notices(world: World): Promise<string[]> {
	const all = {soup: await read(world, 'soup'), bread: await read(world, 'bread')};
	return Object.entries(all).flatMap(([topic, contents]) => (contents.some(isNotice) ? [topic] : []));
}

const isNotice = (content: string) => content.includes(' moved ');

const ZFORM = JSON.stringify({
	widget_type: 'zform',
	extra_data: {type: 'choices', heading: 'Soup?', choices: [{short_name: 'A', long_name: 'Yes', reply: 'yes'}]},
});

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

export const messages: Effects = {
	sendMessage: {
		topic: {
			values: ['soup', 'bread'],
			async outcome(world, topic) {
				const [alice, bob] = [await world.as('alice'), await world.as('bob')];
				await alice.sendMessage({...CHANNEL, topic, content: 'x'});
				return (await bob.getStreamTopics({stream_id: LUNCH})).topics.map(({name}) => name);
			},
			expected: [['soup'], ['bread']],
		},
		read_by_sender: {
			values: [true, false],
			async outcome(world, read_by_sender) {
				const alice = await world.as('alice');
				const {id} = await alice.sendMessage({...CHANNEL, topic: 'soup', content: 'x', read_by_sender});
				return (await alice.getMessage({message_id: id})).message.flags;
			},
			expected: [['read'], []],
		},
		queue_id: {
			values: ['first', 'second'],
			async outcome(world, which) {
				const alice = await world.as('alice');
				const first = (await alice.register({event_types: ['message']})).queue_id;
				const second = (await alice.register({event_types: ['message']})).queue_id;
				const queue_id = which === 'first' ? first : second;
				await alice.sendMessage({...CHANNEL, topic: 'soup', content: 'x', queue_id, local_id: '7.01'});
				const {events} = await alice.getEvents({queue_id: first, last_event_id: -1, dont_block: true});
				return events.map(event => event.local_message_id);
			},
			expected: [['7.01'], [undefined]],
		},
		local_id: {
			values: ['7.01', '7.02'],
			async outcome(world, local_id) {
				const alice = await world.as('alice');
				const {queue_id} = await alice.register({event_types: ['message']});
				await alice.sendMessage({...CHANNEL, topic: 'soup', content: 'x', queue_id, local_id});
				const {events} = await alice.getEvents({queue_id, last_event_id: -1, dont_block: true});
				return events.map(event => event.local_message_id);
			},
			expected: [['7.01'], ['7.02']],
		},
		widget_content: {
			values: [undefined, ZFORM],
			async outcome(world, widget_content) {
				const [alice, bob] = [await world.as('alice'), await world.as('bob')];
				const {id} = await alice.sendMessage({...CHANNEL, topic: 'soup', content: 'x', widget_content});
				const {message} = await bob.getMessage({message_id: id});
				return message.submessages.map(({msg_type, content}) => ({msg_type, content}));
			},
			expected: [[], [{msg_type: 'widget', content: ZFORM}]],
		},
	},
	getMessage: {
		apply_markdown: {
			values: [true, false],
			async outcome(world, apply_markdown) {
				const [alice, bob] = [await world.as('alice'), await world.as('bob')];
				const [message_id = 0] = await sayAll(alice, ['*one*']);
				return (await bob.getMessage({message_id, apply_markdown})).message.content;
			},
			expected: ['<p><em>one</em></p>', '*one*'],
		},
		allow_empty_topic_name: {
			values: [true, false],
			async outcome(world, allow_empty_topic_name) {
				const {bob, message_id} = await withoutTopic(world);
				return (await bob.getMessage({message_id, allow_empty_topic_name})).message.subject;
			},
			expected: ['', 'general chat'],
		},
	},
	getMessages: {
		anchor: {
			values: ['oldest', 'newest'],
			outcome: (world, anchor) => contentsOf(world, () => ({anchor})),
			expected: [['*one*'], ['*three*']],
		},
		include_anchor: {
			values: [true, false],
			outcome: (world, include_anchor) => contentsOf(world, () => ({include_anchor})),
			expected: [
				['*one*', '*two*', '*three*'],
				['*one*', '*three*'],
			],
		},
		num_before: {
			values: [0, 1],
			outcome: (world, num_before) => contentsOf(world, () => ({num_before})),
			expected: [
				['*two*', '*three*'],
				['*one*', '*two*', '*three*'],
			],
		},
		num_after: {
			values: [0, 1],
			outcome: (world, num_after) => contentsOf(world, () => ({num_after})),
			expected: [
				['*one*', '*two*'],
				['*one*', '*two*', '*three*'],
			],
		},
		narrow: {
			values: [[['topic', 'soup']], [{operator: 'topic', operand: 'soup', negated: true}]],
			outcome: (world, narrow) => contentsOf(world, ids => ({anchor: ids[0], num_before: 0, num_after: 9, narrow})),
			expected: [['*one*', '*two*', '*three*'], []],
		},
		client_gravatar: {
			values: [true, false],
			async outcome(world, client_gravatar) {
				const [message] = await fetched(world, () => ({client_gravatar}));
				return typeof message?.avatar_url;
			},
			expected: ['object', 'string'],
		},
		apply_markdown: {
			values: [true, false],
			outcome: (world, apply_markdown) => contentsOf(world, () => ({apply_markdown, num_before: 0, num_after: 0})),
			expected: [['<p><em>two</em></p>'], ['*two*']],
		},
		allow_empty_topic_name: {
			values: [true, false],
			async outcome(world, allow_empty_topic_name) {
				const {bob, message_id} = await withoutTopic(world);
				const {messages: found} = await bob.getMessages({anchor: message_id, allow_empty_topic_name});
				return found.map(({subject}) => subject);
			},
			expected: [[''], ['general chat']],
		},
		message_ids: {
			values: [[1], [2, 3]],
			async outcome(world, places) {
				const alice = await world.as('alice');
				const ids = await sayAll(alice, ['one', 'two', 'three']);
				const message_ids = (places ?? []).flatMap(place => ids[place - 1] ?? []);
				const {messages: found} = await alice.getMessages({message_ids, apply_markdown: false});
				return found.map(({content}) => content);
			},
			expected: [['one'], ['two', 'three']],
		},
	},
	updateMessage: {
		content: {
			values: ['2', 'zwei'],
			async outcome(world, content) {
				await update(world, {content});
				return read(world);
			},
			expected: [
				['one', '2', 'three'],
				['one', 'zwei', 'three'],
			],
		},
		topic: {
			values: ['bread', 'cake'],
			async outcome(world, topic) {
				await update(world, {topic, send_notification_to_new_thread: false});
				return {bread: await read(world, 'bread'), cake: await read(world, 'cake')};
			},
			expected: [
				{bread: ['two'], cake: []},
				{bread: [], cake: ['two']},
			],
		},
		stream_id: {
			values: [GENERAL, LUNCH],
			async outcome(world, stream_id) {
				await update(world, {stream_id, send_notification_to_new_thread: false});
				return {lunch: await read(world), general: await read(world, 'soup', 'general')};
			},
			expected: [
				{lunch: ['one', 'three'], general: ['two']},
				{lunch: ['one', 'two', 'three'], general: []},
			],
		},
		propagate_mode: {
			values: ['change_later', 'change_all'],
			async outcome(world, propagate_mode) {
				await update(world, {topic: 'bread', propagate_mode, send_notification_to_new_thread: false});
				return read(world, 'bread');
			},
			expected: [
				['two', 'three'],
				['one', 'two', 'three'],
			],
		},
		send_notification_to_old_thread: {
			values: [true, false],
			async outcome(world, send_notification_to_old_thread) {
				const notified = {send_notification_to_old_thread, send_notification_to_new_thread: false};
				await update(world, {topic: 'bread', ...notified});
				return notices(world);
			},
			expected: [['soup'], []],
		},
		send_notification_to_new_thread: {
			values: [true, false],
			async outcome(world, send_notification_to_new_thread) {
				await update(world, {topic: 'bread', send_notification_to_new_thread});
				return notices(world);
			},
			expected: [['bread'], []],
		},
		prev_content_sha256: {
			values: [sha256('two'), sha256('three')],
			async outcome(world, prev_content_sha256) {
				await update(world, {content: '2', prev_content_sha256});
				return read(world);
			},
			expected: [
				['one', '2', 'three'],
				['one', 'two', 'three'],
			],
		},
	},
	getMessageHistory: {
		allow_empty_topic_name: {
			values: [true, false],
			async outcome(world, allow_empty_topic_name) {
				const {bob, message_id} = await withoutTopic(world);
				const {message_history} = await bob.getMessageHistory({message_id, allow_empty_topic_name});
				return message_history.map(({topic}) => topic);
			},
			expected: [[''], ['general chat']],
		},
	},
	updateMessageFlagsForNarrow: {
		include_anchor: {
			values: [true, false],
			async outcome(world, include_anchor) {
				const [alice, bob] = [await world.as('alice'), await world.as('bob')];
				const [, anchor = 0] = await sayAll(alice, ['one', 'two', 'three']);
				const around = {anchor, include_anchor, num_before: 1, num_after: 1, narrow: SOUP};
				await bob.updateMessageFlagsForNarrow({...around, op: 'add', flag: 'starred'});
				const {messages: starred} = await bob.getMessages({
					anchor: 'newest',
					num_before: 9,
					narrow: [['is', 'starred']],
					apply_markdown: false,
				});
				return starred.map(({content}) => content);
			},
			expected: [
				['one', 'two', 'three'],
				['one', 'three'],
			],
		},
	},
};
