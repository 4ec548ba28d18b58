import {createHash} from 'node:crypto';
import type {Client} from '../../../src/client/client.js';
import {effects, type Given, unlessRefused} from './effect.js';
import type {World} from './world.js';

const [GENERAL, LUNCH] = [1, 2];
const SOUP = {type: 'channel', to: 'lunch', topic: 'soup', content: 'x'} as const;

const ABOUT_SOUP: [string, string][] = [['topic', 'soup']];

/** What somebody finds in a topic, as it was written. */
async function read(client: Client, topic = 'soup', channel = 'lunch'): Promise<string[]> {
	const narrow: [string, string][] = [
		['channel', channel],
		['topic', topic],
	];
	const {messages} = await client.getMessages({anchor: 'newest', num_before: 20, narrow, apply_markdown: false});
	return messages.map(({content}) => content);
}

/** Says so many things about soup; gives their IDs. */
async function sayAll(client: Client, contents: readonly string[]): Promise<number[]> {
	const ids: number[] = [];
	for (const content of contents) {
		ids.push((await client.sendMessage({...SOUP, content})).id);
	}

	return ids;
}

/** What bob gets of three messages of alice around the second of them, unless `given` says otherwise. */
async function fetchAround({alice, bob}: World, given: Given<'getMessages'>) {
	const [, anchor] = await sayAll(alice, ['*one*', '*two*', '*three*']);
	const {messages} = await bob.getMessages({
		anchor,
		num_before: 1,
		num_after: 1,
		narrow: ABOUT_SOUP,
		apply_markdown: false,
		...given,
	});
	return messages;
}

/** Alice sends a message without topic. */
const sendWithoutTopic = async ({alice}: World) => (await alice.sendMessage({...SOUP, topic: ''})).id;

/** Alice changes the second of three messages about soup; what bob finds then, by topic and in general. */
async function update({alice, bob}: World, given: Omit<Given<'updateMessage'>, 'message_id'>) {
	const [, message_id = 0] = await sayAll(alice, ['one', 'two', 'three']);
	await unlessRefused(alice.updateMessage({message_id, send_notification_to_new_thread: false, ...given}));
	return {
		soup: await read(bob),
		bread: await read(bob, 'bread'),
		cake: await read(bob, 'cake'),
		general: await read(bob, 'soup', 'general'),
	};
}

const ONE_AND_THREE = {soup: ['one', 'three'], bread: [], cake: [], general: []};
const ALL_THREE = {...ONE_AND_THREE, soup: ['one', 'two', 'three']};

/** As the service stores it. */
const ZFORM =
	'{"widget_type": "zform", "extra_data": {"type": "choices", "heading": "Soup?", "choices": [{"short_name": "A", "long_name": "Yes", "reply": "yes"}]}}';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Whether an empty topic is given as one. */
const emptyTopic = {
	allow_empty_topic_name: [true, false, '', 'general chat'],
} as const;

export const messages = [
	...effects('sendMessage', {topic: ['soup', 'bread']}, async ({alice, bob}, given) => {
		await alice.sendMessage({...SOUP, ...given});
		return (await bob.getStreamTopics({stream_id: LUNCH})).topics[0]?.name;
	}),
	...effects(
		'sendMessage',
		{
			read_by_sender: [true, false, {flags: ['read'], widgets: []}, {flags: [], widgets: []}],
			widget_content: [undefined, ZFORM, {flags: [], widgets: []}, {flags: [], widgets: [ZFORM]}],
		},
		async ({alice}, given) => {
			const {id} = await alice.sendMessage({...SOUP, ...given});
			const {flags, submessages} = (await alice.getMessage({message_id: id})).message;
			return {flags, widgets: submessages?.map(({content}) => content)};
		},
	),
	...effects(
		'sendMessage',
		{
			queue_id: ['first', 'second', ['7.01'], [undefined]],
			local_id: ['7.01', '7.02', ['7.01'], ['7.02']],
		},
		async ({alice}, {queue_id: which = 'first', local_id = '7.01'}) => {
			const {queue_id: first = ''} = await alice.register({event_types: ['message']});
			const {queue_id: second = ''} = await alice.register({event_types: ['message']});
			await alice.sendMessage({...SOUP, queue_id: which === 'first' ? first : second, local_id});
			const {events} = await alice.getEvents({queue_id: first, last_event_id: -1, dont_block: true});
			return events.map(event => event.local_message_id);
		},
	),
	...effects(
		'getMessage',
		{apply_markdown: [true, false, '<p><em>one</em></p>', '*one*']},
		async ({alice, bob}, given) => {
			const [message_id = 0] = await sayAll(alice, ['*one*']);
			return (await bob.getMessage({message_id, ...given})).message.content;
		},
	),
	...effects(
		'getMessage',
		emptyTopic,
		async (world, given) =>
			(await world.bob.getMessage({message_id: await sendWithoutTopic(world), ...given})).message.subject,
	),
	...effects(
		'getMessages',
		{
			anchor: ['oldest', 'newest', ['*one*'], ['*three*']],
			num_before: [0, 1, ['*two*', '*three*'], ['*one*', '*two*', '*three*']],
			num_after: [0, 1, ['*one*', '*two*'], ['*one*', '*two*', '*three*']],
			narrow: [
				[['topic', 'soup']],
				[{operator: 'topic', operand: 'soup', negated: true}],
				['*one*', '*two*', '*three*'],
				['Then open its file in `bots/`, change what it says, save, and ask it again.'],
			],
			apply_markdown: [
				true,
				false,
				['<p><em>one</em></p>', '<p><em>two</em></p>', '<p><em>three</em></p>'],
				['*one*', '*two*', '*three*'],
			],
		},
		async (world, given) => (await fetchAround(world, given)).map(({content}) => content),
	),
	...effects('getMessages', {include_anchor: [true, false, ['*one*', '*two*'], ['*one*']]}, async (world, given) => {
		const found = await fetchAround(world, {num_after: 0, ...given});
		return found.map(({content}) => content);
	}),
	...effects('getMessages', {use_first_unread_anchor: [true, false, 'found', 'refused']}, async ({bob}, given) =>
		bob.getMessages({num_after: 1, ...given}).then(
			() => 'found',
			() => 'refused',
		),
	),
	...effects(
		'sendMessage',
		{sender: [undefined, 'a@b.example', 'sent', 'refused'], forged: ['no', 'yes', 'sent', 'refused']},
		({alice}, given) =>
			alice.sendMessage({type: 'direct', to: [5], content: 'x', ...given}).then(
				() => 'sent',
				() => 'refused',
			),
	),
	...effects(
		'getMessages',
		{client_gravatar: [true, false, 'object', 'string']},
		async (world, given) => typeof (await fetchAround(world, given))[0]?.avatar_url,
	),
	...effects(
		'getMessages',
		emptyTopic,
		async (world, given) =>
			(await world.bob.getMessages({anchor: await sendWithoutTopic(world), ...given})).messages[0]?.subject,
	),
	...effects(
		'getMessages',
		{message_ids: [[1], [2, 3], ['one'], ['two', 'three']]},
		async ({alice}, {message_ids: places = []}) => {
			const ids = await sayAll(alice, ['one', 'two', 'three']);
			const message_ids = places.flatMap(place => ids[place - 1] ?? []);
			const {messages: found} = await alice.getMessages({message_ids, apply_markdown: false});
			return found.map(({content}) => content);
		},
	),
	...effects(
		'updateMessage',
		{
			content: [
				'2',
				'zwei',
				{...ALL_THREE, soup: ['one', '2', 'three']},
				{...ALL_THREE, soup: ['one', 'zwei', 'three']},
			],
			topic: ['bread', 'cake', {...ONE_AND_THREE, bread: ['two']}, {...ONE_AND_THREE, cake: ['two']}],
			stream_id: [GENERAL, LUNCH, {...ONE_AND_THREE, general: ['two']}, ALL_THREE],
		},
		update,
	),
	...effects(
		'updateMessage',
		{propagate_mode: ['change_later', 'change_all', ['two', 'three'], ['one', 'two', 'three']]},
		async (world, given) => (await update(world, {topic: 'bread', ...given})).bread,
	),
	...effects(
		'updateMessage',
		{
			prev_content_sha256: [sha256('two'), sha256('three'), ['one', '2', 'three'], ['one', 'two', 'three']],
		},
		async (world, given) => (await update(world, {content: '2', ...given})).soup,
	),
	...effects(
		'updateMessage',
		{
			send_notification_to_old_thread: [true, false, ['soup'], []],
			send_notification_to_new_thread: [true, false, ['bread'], []],
		},
		async (world, given) => {
			const found = await update(world, {topic: 'bread', ...given});
			return Object.entries(found).flatMap(([place, texts]) =>
				texts.some(text => text.includes(' moved ')) ? [place] : [],
			);
		},
	),
	...effects('getMessageHistory', emptyTopic, async (world, given) => {
		const message_id = await sendWithoutTopic(world);
		return (await world.bob.getMessageHistory({message_id, ...given})).message_history[0]?.topic;
	}),
	...effects(
		'updateMessageFlagsForNarrow',
		{include_anchor: [true, false, ['one', 'two'], ['one']]},
		async ({alice, bob}, given) => {
			const [, anchor = 0] = await sayAll(alice, ['one', 'two', 'three']);
			const around = {anchor, num_before: 1, num_after: 0, narrow: ABOUT_SOUP};
			await bob.updateMessageFlagsForNarrow({...around, op: 'add', flag: 'starred', ...given});
			const narrow: [string, string][] = [['is', 'starred']];
			const {messages: starred} = await bob.getMessages({...around, narrow, apply_markdown: false});
			return starred.map(({content}) => content);
		},
	),
];
