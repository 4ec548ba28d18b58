import test from 'ava';
import {openCrowd} from './crowd-kit.js';
import {queueOf} from './event-kit.js';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {
	advanceClock,
	at,
	badRequest,
	type Caller,
	channelId,
	expectRefusal,
	expectSuccess,
	type Json,
	mask,
	openRealm,
	signIn,
} from './raw-request.js';
import {httpAnswer} from './raw-server.js';
import {refused} from './refused.js';
import {changeDatabase, temporaryFile} from './scheduled-kit.js';
import {openRealmWithBot, send} from './webhook-kit.js';

const DONE = '{"result":"success","msg":"","detached_uploads":[{"id":3,"name":"a.png"}]}\n';

test('the client changes a text with a form, in which text and topic stand as they are', async t => {
	const {client, server} = await clientAnswered(t, DONE);

	const {detached_uploads: uploads} = await client.updateMessage({
		message_id: 42,
		content: '"hi" & 1',
		prev_content_sha256: 'abc',
	});

	const request = await server.request();
	t.is(request.line, 'PATCH /api/v1/messages/42 HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.headers['content-type'], 'application/x-www-form-urlencoded');
	t.is(request.headers['user-agent'], 'Bothy/1.2.3');
	t.is(request.body, 'content=%22hi%22+%26+1&prev_content_sha256=abc');
	t.is(uploads?.[0]?.id, 3);
});

test('the client moves messages with numbers and booleans as JSON', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await client.updateMessage({
		message_id: 42,
		topic: '7',
		stream_id: 3,
		propagate_mode: 'change_later',
		send_notification_to_old_thread: true,
		send_notification_to_new_thread: false,
	});

	t.is(
		(await server.request()).body,
		'topic=7&stream_id=3&propagate_mode=change_later&send_notification_to_old_thread=true&send_notification_to_new_thread=false',
	);
});

test('the client throws an ApiError that says how many messages may move', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"Too old","code":"MOVE_MESSAGES_TIME_LIMIT_EXCEEDED",\
"first_message_id_allowed_to_move":9,"total_messages_in_topic":12,"total_messages_allowed_to_move":4}\n',
	);

	t.deepEqual(await refusalOf(t, client.updateMessage({message_id: 1, topic: 'x', propagate_mode: 'change_all'})), {
		code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
		status: 400,
		reason: 'Too old',
		fields: {first_message_id_allowed_to_move: 9, total_messages_in_topic: 12, total_messages_allowed_to_move: 4},
	});
});

test('the client throws an ApiError for a text that somebody else changed first', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"Stale","code":"EXPECTATION_MISMATCH"}\n',
	);

	const call = client.updateMessage({message_id: 1, content: 'x', prev_content_sha256: 'y'});

	t.deepEqual(await refusalOf(t, call), {code: 'EXPECTATION_MISMATCH', status: 400, reason: 'Stale', fields: {}});
});

/** Reads a message as it was written. */
async function message(caller: Caller, id: number): Promise<Json> {
	const path = `/api/v1/messages/${id}?apply_markdown=false&allow_empty_topic_name=true`;
	return at((await caller.get(path)).json, 'message');
}

test('the realm changes a text, tells so, and keeps the old one in the history', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const id = await send(alice, 'type=channel&to=general&topic=lunch&content=*Soup*');
	const queue = await queueOf(bob, 'update_message');

	const answer = await alice.patch(`/api/v1/messages/${id}`, 'content=%2Fme+asks+%40**Bob+Birk**');

	expectSuccess(t, answer);
	t.deepEqual(answer.json, {result: 'success', msg: '', detached_uploads: []});
	const [event = null] = await queue();
	const html = `<p>/me asks <span class="user-mention" data-user-id="${bob.userId}">@Bob Birk</span></p>`;
	t.deepEqual(mask(event, 'edit_timestamp'), {
		type: 'update_message',
		user_id: alice.userId,
		edit_timestamp: '<integer>',
		message_id: id,
		message_ids: [id],
		flags: ['mentioned'],
		rendering_only: false,
		orig_content: '*Soup*',
		orig_rendered_content: '<p><em>Soup</em></p>',
		content: '/me asks @**Bob Birk**',
		rendered_content: html,
		is_me_message: true,
	});
	const found = await message(bob, id);
	t.is(at(found, 'content'), '/me asks @**Bob Birk**');
	t.deepEqual(at(found, 'flags'), ['mentioned']);
	t.is(at(found, 'last_edit_timestamp'), at(event, 'edit_timestamp'));
	t.throws(() => at(found, 'last_moved_timestamp'));
	t.deepEqual(at(found, 'edit_history'), [
		{
			user_id: alice.userId,
			timestamp: at(event, 'edit_timestamp'),
			prev_content: '*Soup*',
			prev_rendered_content: '<p><em>Soup</em></p>',
		},
	]);
});

for (const [sent, stored] of [
	['x%0A%0A', 'x'],
	['++', '(deleted)'],
] as const) {
	test(`the realm stores the new text "${sent}" as "${stored}"`, async t => {
		const alice = await signIn(t);
		const id = await send(alice, 'type=direct&to=bob%40bothy.example&content=old');

		await alice.patch(`/api/v1/messages/${id}`, `content=${sent}`);

		t.is(at(await message(alice, id), 'content'), stored);
	});
}

test('the realm leaves a message alone that is said again as it is', async t => {
	const alice = await signIn(t);
	const id = await send(alice, 'type=channel&to=general&topic=lunch&content=x');
	const queue = await queueOf(alice, 'update_message');

	expectSuccess(t, await alice.patch(`/api/v1/messages/${id}`, 'content=x&topic=lunch'));

	t.deepEqual(await queue(), []);
	t.false(JSON.stringify(await message(alice, id)).includes('edit_history'));
});

test('the realm replaces a text whose SHA-256 is the expected one, and no other', async t => {
	const alice = await signIn(t);
	const id = await send(alice, 'type=direct&to=bob%40bothy.example&content=abc');
	// SHA-256 of `abc`.
	const sha = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

	expectSuccess(t, await alice.patch(`/api/v1/messages/${id}`, `content=abcd&prev_content_sha256=${sha}`));
	const stale = await alice.patch(`/api/v1/messages/${id}`, `content=abcde&prev_content_sha256=${sha}`);

	expectRefusal(t, stale, {
		status: '400 Bad Request',
		json: {
			result: 'error',
			msg: "'prev_content_sha256' value does not match the expected value.",
			code: 'EXPECTATION_MISMATCH',
			field_name: 'prev_content_sha256',
		},
	});
	t.is(at(await message(alice, id), 'content'), 'abcd');
});

/** Three messages of Bob's in a topic; Alice moves from the second. */
async function threeInATopic(t: Parameters<typeof signIn>[0]) {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const ids = [];
	for (const content of ['1', '2', '3']) {
		ids.push(await send(bob, `type=channel&to=general&topic=food&content=${content}`));
	}

	return {realm, alice, bob, ids};
}

for (const [mode, moved] of [
	['', ['2']],
	['&propagate_mode=change_one', ['2']],
	['&propagate_mode=change_later', ['2', '3']],
	['&propagate_mode=change_all', ['1', '2', '3']],
] as const) {
	test(`the realm moves ${moved.join(', ')} of 1, 2, 3 to another topic with "${mode}"`, async t => {
		const {alice, bob, ids} = await threeInATopic(t);
		const queue = await queueOf(bob, 'update_message');

		const answer = await alice.patch(
			`/api/v1/messages/${ids[1]}`,
			`topic=drinks${mode}&send_notification_to_new_thread=false`,
		);

		expectSuccess(t, answer);
		const found = await Promise.all(ids.map(async id => message(bob, id)));
		const there = found.filter(each => at(each, 'subject') === 'drinks');
		t.deepEqual(
			there.map(each => at(each, 'content')),
			[...moved],
		);
		t.false(JSON.stringify(there).includes('last_edit_timestamp'));
		const [event = null] = await queue();
		t.deepEqual(mask(event, 'edit_timestamp'), {
			type: 'update_message',
			user_id: alice.userId,
			edit_timestamp: '<integer>',
			message_id: ids[1] ?? 0,
			message_ids: there.map(each => at(each, 'id')),
			flags: [],
			rendering_only: false,
			stream_id: await channelId(alice, 'general'),
			stream_name: 'general',
			orig_subject: 'food',
			subject: 'drinks',
			topic_links: [],
			propagate_mode: moved.length === 1 ? 'change_one' : moved.length === 2 ? 'change_later' : 'change_all',
		});
		for (const each of there) {
			t.is(at(each, 'last_moved_timestamp'), at(event, 'edit_timestamp'));
			t.deepEqual(at(each, 'edit_history'), [
				{user_id: alice.userId, timestamp: at(event, 'edit_timestamp'), prev_topic: 'food', topic: 'drinks'},
			]);
		}
	});
}

test('the realm moves a topic to another channel and leaves notices on both sides', async t => {
	const {alice, bob, ids} = await threeInATopic(t);
	const [general, lunch] = [await channelId(alice, 'general'), await channelId(alice, 'lunch')];
	const queue = await queueOf(bob, 'update_message');

	const answer = await alice.patch(
		`/api/v1/messages/${ids[0]}`,
		`stream_id=${lunch}&propagate_mode=change_all&send_notification_to_old_thread=true`,
	);

	expectSuccess(t, answer);
	const found = await message(bob, ids[2] ?? 0);
	t.is(at(found, 'display_recipient'), 'lunch');
	t.is(at(found, 'subject'), 'food');
	t.is(at(found, 'edit_history', 0, 'prev_stream'), general);
	t.is(at(found, 'edit_history', 0, 'stream'), lunch);
	const [event = null] = await queue();
	t.is(at(event, 'stream_id'), general);
	t.is(at(event, 'new_stream_id'), lunch);
	t.is(at(event, 'orig_subject'), 'food');
	t.throws(() => at(event, 'subject'));
	const newest = async (channel: string) => {
		const narrow = `%5B%5B%22channel%22%2C%22${channel}%22%5D%2C%5B%22topic%22%2C%22food%22%5D%5D`;
		const path = `/api/v1/messages?anchor=newest&num_before=1&apply_markdown=false&narrow=${narrow}`;
		return at((await bob.get(path)).json, 'messages', 0);
	};
	t.is(at(await newest('lunch'), 'sender_full_name'), 'Notification Bot');
	t.regex(String(at(await newest('lunch'), 'content')), /Alice Ahn.*3 messages here from #\*\*general>food\*\*/);
	t.regex(String(at(await newest('general'), 'content')), /Alice Ahn.*3 messages from here to #\*\*lunch>food\*\*/);
});

test('the realm takes a message from those who may not read in its new channel', async t => {
	const realm = await openRealm(t);
	const [adam, bob] = [await signIn(t, 'adam', realm), await signIn(t, 'bob', realm)];
	const id = await send(bob, 'type=channel&to=general&topic=food&content=x');
	const staff = await channelId(adam, 'staff');
	const [updates, deletions] = [await queueOf(bob, 'update_message'), await queueOf(bob, 'delete_message')];

	const answer = await adam.patch(
		`/api/v1/messages/${id}`,
		`stream_id=${staff}&topic=secret&send_notification_to_new_thread=false`,
	);

	expectSuccess(t, answer);
	t.deepEqual(await updates(), []);
	t.deepEqual(await deletions(), [
		{
			type: 'delete_message',
			message_type: 'stream',
			message_id: id,
			stream_id: await channelId(adam, 'general'),
			topic: 'food',
		},
	]);
	expectRefusal(t, await bob.get(`/api/v1/messages/${id}`), badRequest('Invalid message(s)'));
	t.is(at(await message(adam, id), 'subject'), 'secret');
	t.is(at(await message(await signIn(t, 'olivia', realm), id), 'subject'), 'secret');
});

test('the realm does not call it a move when a topic is marked as resolved', async t => {
	const {alice, bob, ids} = await threeInATopic(t);

	expectSuccess(t, await alice.patch(`/api/v1/messages/${ids[0]}`, 'topic=%E2%9C%94+food&propagate_mode=change_all'));

	const found = await message(bob, ids[0] ?? 0);
	t.is(at(found, 'subject'), '✔ food');
	t.throws(() => at(found, 'last_moved_timestamp'));
	t.is(at(found, 'edit_history', 0, 'prev_topic'), 'food');
});

test('the realm reads the old name of the topic, and the two names of the empty one', async t => {
	const {alice, bob, ids} = await threeInATopic(t);

	await alice.patch(`/api/v1/messages/${ids[0]}`, 'subject=drinks');
	await alice.patch(`/api/v1/messages/${ids[1]}`, 'topic=general+chat');
	await alice.patch(`/api/v1/messages/${ids[2]}`, 'topic=(no+topic)');

	t.is(at(await message(bob, ids[0] ?? 0), 'subject'), 'drinks');
	t.is(at(await message(bob, ids[1] ?? 0), 'subject'), '');
	t.is(at(await message(bob, ids[2] ?? 0), 'subject'), '');
	const shown = at((await bob.get(`/api/v1/messages/${ids[1]}`)).json, 'message', 'edit_history', 0, 'topic');
	t.is(shown, 'general chat');
});

test('the realm refuses to change a text after ten minutes, but not to move it', async t => {
	const {realm, bob, ids} = await threeInATopic(t);
	await advanceClock(realm, 600_000);
	expectSuccess(t, await bob.patch(`/api/v1/messages/${ids[0]}`, 'content=in+time'));
	await advanceClock(realm, 25_000);

	const late = await bob.patch(`/api/v1/messages/${ids[0]}`, 'content=too+late');

	expectRefusal(t, late, badRequest('The time limit for editing this message has passed'));
	expectSuccess(t, await bob.patch(`/api/v1/messages/${ids[0]}`, 'topic=drinks'));
});

test('the realm moves for a week, for moderators always, and says what is still young enough', async t => {
	const {realm, alice, ids} = await threeInATopic(t);
	await advanceClock(realm, 8 * 24 * 3_600_000);
	const young = await send(alice, 'type=channel&to=general&topic=food&content=4');

	const old = await alice.patch(`/api/v1/messages/${ids[0]}`, 'topic=drinks');
	const all = await alice.patch(`/api/v1/messages/${young}`, 'topic=drinks&propagate_mode=change_all');

	expectRefusal(t, old, badRequest('The time limit for editing this message has passed'));
	expectRefusal(t, all, {
		status: '400 Bad Request',
		json: {
			result: 'error',
			msg: 'You may move only the 1 newest of the 4 messages in this topic',
			code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
			first_message_id_allowed_to_move: young,
			total_messages_in_topic: 4,
			total_messages_allowed_to_move: 1,
		},
	});
	t.is(at(await message(alice, young), 'subject'), 'food');
	const mona = await signIn(t, 'mona', realm);
	expectSuccess(t, await mona.patch(`/api/v1/messages/${ids[0]}`, 'topic=drinks&propagate_mode=change_all'));
});

test("the realm refuses to change somebody else's text", async t => {
	const {realm, ids} = await threeInATopic(t);

	const answer = await (await signIn(t, 'olivia', realm)).patch(`/api/v1/messages/${ids[0]}`, 'content=x');

	expectRefusal(t, answer, badRequest("You don't have permission to edit this message"));
});

for (const [form, msg] of [
	['', 'Nothing to change'],
	['content=x&propagate_mode=change_all', 'Invalid propagate_mode without topic edit'],
	['content=x&stream_id=1', 'Cannot change message content while changing channel'],
	['topic=x&propagate_mode=change_some', 'Invalid propagate_mode'],
	['stream_id=abc', 'stream_id is not valid JSON'],
	['stream_id=%22abc%22', 'stream_id is not an integer'],
	['topic=x&send_notification_to_old_thread=yes', 'send_notification_to_old_thread is not valid JSON'],
	['topic=x&send_notification_to_new_thread=1', 'send_notification_to_new_thread is not a boolean'],
	['stream_id=99999', 'Invalid channel ID'],
	['topic=a%07', 'Invalid character in topic, at position 2!'],
	['content=a%00b', 'Message must not contain null bytes'],
] as const) {
	test(`the realm refuses a change with "${form}"`, async t => {
		const alice = await signIn(t);
		const id = await send(alice, 'type=channel&to=general&topic=lunch&content=old');

		expectRefusal(t, await alice.patch(`/api/v1/messages/${id}`, form), badRequest(msg));
		t.is(at(await message(alice, id), 'content'), 'old');
	});
}

for (const [form, msg] of [
	['topic=x', 'Direct messages cannot have topics.'],
	['stream_id=1', 'Direct messages cannot be moved to channels.'],
] as const) {
	test(`the realm refuses to move a direct message with "${form}"`, async t => {
		const alice = await signIn(t);
		const id = await send(alice, 'type=direct&to=bob%40bothy.example&content=x');

		expectRefusal(t, await alice.patch(`/api/v1/messages/${id}`, form), badRequest(msg));
	});
}

for (const [name, channel, msg] of [
	['a private channel of others', 'staff', 'Invalid channel ID'],
	['an archived channel', 'attic', 'Invalid channel ID'],
	[
		'a channel to post in which takes a moderator',
		'announcements',
		'You do not have permission to post in this channel.',
	],
] as const) {
	test(`the realm refuses to move a message to ${name}`, async t => {
		const realm = await openRealm(t);
		const [alice, olivia] = [await signIn(t, 'alice', realm), await signIn(t, 'olivia', realm)];
		const id = await send(alice, 'type=channel&to=general&topic=lunch&content=x');

		const answer = await alice.patch(`/api/v1/messages/${id}`, `stream_id=${await channelId(olivia, channel)}`);

		expectRefusal(t, answer, badRequest(msg));
	});
}

test('the realm lets guests move messages within a channel, but to no other', async t => {
	const realm = await openRealm(t);
	const [gus, alice] = [await signIn(t, 'gus', realm), await signIn(t, 'alice', realm)];
	const id = await send(gus, 'type=channel&to=general&topic=lunch&content=x');

	expectSuccess(t, await gus.patch(`/api/v1/messages/${id}`, 'topic=drinks'));
	const answer = await gus.patch(`/api/v1/messages/${id}`, `stream_id=${await channelId(alice, 'announcements')}`);

	expectRefusal(t, answer, badRequest("You don't have permission to move this message"));
});

test('the realm refuses to change a message that carries a widget', async t => {
	const alice = await signIn(t);
	const id = await send(alice, 'type=channel&to=general&topic=lunch&content=%2Fpoll+Soup%3F');

	expectRefusal(t, await alice.patch(`/api/v1/messages/${id}`, 'content=x'), badRequest('Widgets cannot be edited.'));
});

test('the realm refuses a text that calls whom its author may not call, as when it is sent', async t => {
	const alice = await signIn(t, 'alice', await openCrowd(t, 16));
	const id = await send(alice, 'type=channel&to=lunch&topic=x&content=old');
	const change = (text: string) => alice.patch(`/api/v1/messages/${id}`, `content=${text}`);

	expectRefusal(t, await change('%40**all**'), {
		status: '400 Bad Request',
		json: {
			result: 'error',
			msg: 'You do not have permission to use channel wildcard mentions in this channel.',
			code: 'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
		},
	});
	expectRefusal(t, await change('%40*board*'), badRequest("You are not allowed to mention user group 'board'."));
	t.is(at(await message(alice, id), 'content'), 'old');
});

test('the realm moves no message to a topic that the channel does not take', async t => {
	const file = await temporaryFile(t);
	const alice = await signIn(t, 'alice', await openRealm(t, {file}));
	const id = await send(alice, 'type=channel&to=general&topic=x&content=x');
	changeDatabase(file, "UPDATE channels SET topics_policy = 'disable_empty_topic' WHERE name = 'general'");

	expectRefusal(t, await alice.patch(`/api/v1/messages/${id}`, 'topic=%28no+topic%29'), {
		status: '400 Bad Request',
		json: {
			result: 'error',
			msg: 'Sending messages to the general chat is not allowed in this channel.',
			code: 'BAD_REQUEST',
			empty_topic_display_name: 'general chat',
		},
	});
	t.is(at(await message(alice, id), 'subject'), 'x');
});

test('a change of an unknown message', refused, {
	ask: (caller: Caller) => caller.patch('/api/v1/messages/99999', 'content=x'),
	answer: badRequest('Invalid message(s)'),
});
test('a change with both names of the topic', refused, {
	ask: (caller: Caller) => caller.patch('/api/v1/messages/1', 'topic=x&subject=y'),
	answer: {
		status: '400 Bad Request',
		json: {
			result: 'error',
			msg: "Can't decide between 'topic' and 'subject' arguments",
			code: 'REQUEST_CONFUSING_VAR',
			var_name1: 'topic',
			var_name2: 'subject',
		},
	},
});

test('the realm names the parameters of an edit that it does not know', async t => {
	const alice = await signIn(t);
	const id = await send(alice, 'type=channel&to=general&topic=lunch&content=x');

	const {json} = await alice.patch(`/api/v1/messages/${id}`, 'content=y&colour=red');

	t.deepEqual(at(json, 'ignored_parameters_unsupported'), ['colour']);
});

test('the realm fires no webhook for a message that comes to mention a bot', async t => {
	const {receiver, alice} = await openRealmWithBot(t, httpAnswer('200 OK', '{}'));
	const id = await send(alice, 'type=channel&to=general&topic=lunch&content=x');

	await alice.patch(`/api/v1/messages/${id}`, 'content=%40**Echo**+first');
	await send(alice, 'type=channel&to=general&topic=lunch&content=%40**Echo**+second');

	t.regex(String(at(await message(alice, id), 'content')), /first/);
	t.regex((await receiver.request()).body, /second/);
});
