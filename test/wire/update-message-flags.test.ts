import test from 'ava';
import {queueOf} from './event-kit.js';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {
	at,
	badRequest,
	type Caller,
	channelId,
	expectRefusal,
	expectSuccess,
	type Json,
	missing,
	openRealm,
	signIn,
} from './raw-request.js';
import {refused} from './refused.js';

const flag = (caller: Caller, form: string) => caller.post('/api/v1/messages/flags', form);

async function say(caller: Caller, form = 'type=channel&to=lunch&topic=soup'): Promise<number> {
	return Number(at((await caller.post('/api/v1/messages', `content=x&${form}`)).json, 'id'));
}

async function flagsOf(caller: Caller, id: number): Promise<Json> {
	return at((await caller.get(`/api/v1/messages/${id}`)).json, 'message', 'flags');
}

test('the client writes IDs as a JSON list, and the operation and the flag as they are', async t => {
	const {client, server} = await clientAnswered(
		t,
		'{"result":"success","msg":"","messages":[4,8,15],"ignored_because_not_subscribed_channels":[9]}\n',
	);

	const answer = await client.updateMessageFlags({messages: [4, 8, 15], op: 'remove', flag: 'read'});

	const request = await server.request();
	t.is(request.line, 'POST /api/v1/messages/flags HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.headers['content-type'], 'application/x-www-form-urlencoded');
	t.is(request.body, 'messages=%5B4%2C8%2C15%5D&op=remove&flag=read');
	t.deepEqual(answer.messages, [4, 8, 15]);
	t.deepEqual(answer.ignored_because_not_subscribed_channels, [9]);
});

test('the client reads the answer of a server that names no ignored channels', async t => {
	const {client} = await clientAnswered(t, '{"result":"success","msg":"","messages":[4]}\n');

	const answer = await client.updateMessageFlags({messages: [4], op: 'add', flag: 'starred'});

	t.is(answer.ignored_because_not_subscribed_channels, undefined);
});

test('the client throws an ApiError for a flag that is not its own to set', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"Flag not editable: \'mentioned\'","code":"BAD_REQUEST"}\n',
	);

	t.deepEqual(await refusalOf(t, client.updateMessageFlags({messages: [4], op: 'add', flag: 'mentioned'})), {
		code: 'BAD_REQUEST',
		status: 400,
		reason: "Flag not editable: 'mentioned'",
		fields: {},
	});
});

test('the realm sets a flag for its reader alone, tells their queues, and removes it again', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const [first, second] = [await say(alice), await say(alice)];
	const [own, others] = [await queueOf(bob, 'update_message_flags'), await queueOf(alice, 'update_message_flags')];

	const answer = await flag(bob, `messages=[${first},${second}]&op=add&flag=starred`);

	expectSuccess(t, answer);
	t.is(
		answer.body,
		`{"result":"success","msg":"","messages":[${first},${second}],"ignored_because_not_subscribed_channels":[]}\n`,
	);
	t.deepEqual(await flagsOf(bob, first), ['starred']);
	t.deepEqual(await flagsOf(alice, first), []);
	await flag(bob, `messages=[${first}]&op=remove&flag=starred`);
	t.deepEqual(await flagsOf(bob, first), []);
	t.deepEqual(await flagsOf(bob, second), ['starred']);
	const common = {type: 'update_message_flags', flag: 'starred', all: false};
	t.deepEqual(await own(), [
		{...common, op: 'add', operation: 'add', messages: [first, second]},
		{...common, op: 'remove', operation: 'remove', messages: [first]},
	]);
	t.deepEqual(await others(), []);
});

test('the realm tells only of messages whose flag has changed, and of nothing when none has', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const [first, second] = [await say(alice), await say(alice)];
	await flag(bob, `messages=[${first}]&op=add&flag=read`);
	const events = await queueOf(bob, 'update_message_flags');

	await flag(bob, `messages=[${first}]&op=add&flag=read`);
	await flag(bob, `messages=[${first},${second}]&op=add&flag=read`);

	const told = (await events()).map(event => at(event, 'messages'));
	t.deepEqual(told, [[second]]);
});

test('the realm takes the old name of the operation, and every flag that people set', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const id = await say(alice);

	for (const name of ['read', 'starred', 'collapsed']) {
		expectSuccess(t, await flag(bob, `messages=[${id}]&operation=add&flag=${name}`));
	}

	t.deepEqual(await flagsOf(bob, id), ['read', 'starred', 'collapsed']);
});

test('a message that was not sent to its reader can be starred and is historical then', async t => {
	const realm = await openRealm(t);
	const [alice, olivia] = [await signIn(t, 'alice', realm), await signIn(t, 'olivia', realm)];
	const id = await say(alice);

	await flag(olivia, `messages=[${id}]&op=add&flag=starred`);

	t.deepEqual(await flagsOf(olivia, id), ['read', 'starred', 'historical']);
	const {json} = await olivia.get('/api/v1/messages?anchor=newest&num_before=5&narrow=[["is","starred"]]');
	t.is(at(json, 'messages', 0, 'id'), id);
});

test('nothing becomes unread in a channel without the reader, and the realm says which channels those are', async t => {
	const realm = await openRealm(t);
	const [alice, olivia] = [await signIn(t, 'alice', realm), await signIn(t, 'olivia', realm)];
	const inLunch = await say(alice);
	const inGeneral = await say(alice, 'type=channel&to=general&topic=x');
	await flag(olivia, `messages=[${inLunch},${inGeneral}]&op=add&flag=read`);

	const {json} = await flag(olivia, `messages=[${inLunch},${inGeneral}]&op=remove&flag=read`);

	t.deepEqual(at(json, 'ignored_because_not_subscribed_channels'), [await channelId(olivia, 'lunch')]);
	t.deepEqual(await flagsOf(olivia, inLunch), ['read', 'historical']);
	t.deepEqual(await flagsOf(olivia, inGeneral), []);
});

test('an older realm says nothing of ignored channels', async t => {
	const alice = await signIn(t, 'alice', await openRealm(t, {featureLevel: 339}));
	const id = await say(alice);

	const {body} = await flag(alice, `messages=[${id}]&op=add&flag=starred`);

	t.is(body, `{"result":"success","msg":"","messages":[${id}]}\n`);
});

test('the realm changes no flag at all when one of the messages cannot be read', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const own = await say(alice);
	const secret = await say(alice, `type=direct&to=[${alice.userId}]`);

	expectRefusal(t, await flag(bob, `messages=[${own},${secret}]&op=add&flag=read`), badRequest('Invalid message(s)'));

	t.deepEqual(await flagsOf(bob, own), []);
});

test('the realm names the parameters of a flag that it does not know', async t => {
	const alice = await signIn(t);

	const {json} = await flag(alice, 'messages=[]&op=add&flag=read&colour=red');

	t.deepEqual(at(json, 'ignored_parameters_unsupported'), ['colour']);
});

test('a flag for no messages', refused, {ask: alice => flag(alice, 'op=add&flag=read'), answer: missing('messages')});
test('messages that are no list', refused, {
	ask: alice => flag(alice, 'messages=1&op=add&flag=read'),
	answer: badRequest('messages is not a list'),
});
test('a word among the messages', refused, {
	ask: alice => flag(alice, 'messages=["a"]&op=add&flag=read'),
	answer: badRequest('messages[0] is not an integer'),
});
test('a flag without operation', refused, {
	ask: alice => flag(alice, 'messages=[1]&flag=read'),
	answer: missing('op'),
});
test('an unknown operation on a flag', refused, {
	ask: alice => flag(alice, 'messages=[1]&op=toggle&flag=read'),
	answer: badRequest('Invalid op'),
});
test('both names of the operation', refused, {
	ask: alice => flag(alice, 'messages=[1]&op=add&operation=add&flag=read'),
	answer: {
		status: '400 Bad Request',
		json: {
			result: 'error',
			msg: "Can't decide between 'op' and 'operation' arguments",
			code: 'REQUEST_CONFUSING_VAR',
			var_name1: 'op',
			var_name2: 'operation',
		},
	},
});
test('a change of no flag', refused, {ask: alice => flag(alice, 'messages=[1]&op=add'), answer: missing('flag')});
test('an unknown flag', refused, {
	ask: alice => flag(alice, 'messages=[1]&op=add&flag=hidden'),
	answer: badRequest("Invalid flag: 'hidden'"),
});
test('a flag that the service alone sets, before messages that are not there', refused, {
	ask: alice => flag(alice, 'messages=[4711]&op=add&flag=mentioned'),
	answer: badRequest("Flag not editable: 'mentioned'"),
});
test('a flag on a message that never was', refused, {
	ask: alice => flag(alice, 'messages=[4711]&op=add&flag=read'),
	answer: badRequest('Invalid message(s)'),
});
