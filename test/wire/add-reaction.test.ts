import test from 'ava';
import {startRealm} from '../../src/realm/index.js';
import {queueOf} from './event-kit.js';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {
	at,
	badRequest,
	type Caller,
	expectRefusal,
	expectSuccess,
	type Json,
	missing,
	newestMessage,
	openRealm,
	signIn,
} from './raw-request.js';
import {refused} from './refused.js';
import {temporaryFile} from './scheduled-kit.js';

const EXISTS = {
	status: '400 Bad Request',
	json: {result: 'error', msg: 'Reaction already exists.', code: 'REACTION_ALREADY_EXISTS'},
};

/** Sends a literal form; answers the message's ID. */
async function send(caller: Caller, form: string): Promise<number> {
	return Number(at((await caller.post('/api/v1/messages', `content=x&${form}`)).json, 'id'));
}

const react = (caller: Caller, id: number, form: string) => caller.post(`/api/v1/messages/${id}/reactions`, form);

async function reactionsTo(caller: Caller, id: number): Promise<Json> {
	return at((await caller.get(`/api/v1/messages/${id}`)).json, 'message', 'reactions');
}

test('the client writes the message in the path and the emoji in a form', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await client.addReaction({
		message_id: 43,
		emoji_name: '+1',
		emoji_code: '1f44d',
		reaction_type: 'unicode_emoji',
	});

	const request = await server.request();
	t.is(request.line, 'POST /api/v1/messages/43/reactions HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.headers['content-type'], 'application/x-www-form-urlencoded');
	t.is(request.body, 'emoji_name=%2B1&emoji_code=1f44d&reaction_type=unicode_emoji');
});

test('the client throws an ApiError for a reaction that is there already', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"Reaction already exists.","code":"REACTION_ALREADY_EXISTS"}\n',
	);

	t.deepEqual(await refusalOf(t, client.addReaction({message_id: 43, emoji_name: 'octopus'})), {
		code: 'REACTION_ALREADY_EXISTS',
		status: 400,
		reason: 'Reaction already exists.',
		fields: {},
	});
});

test('the realm keeps a reaction in the message and tells everybody who got it', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const id = await send(alice, 'type=channel&to=general&topic=x');
	const queues = [await queueOf(alice, 'reaction'), await queueOf(bob, 'reaction')];

	const answer = await react(bob, id, 'emoji_name=tada');

	expectSuccess(t, answer);
	t.is(answer.body, '{"result":"success","msg":""}\n');
	const reaction = {emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji', user_id: bob.userId};
	t.deepEqual(await reactionsTo(alice, id), [reaction]);
	t.deepEqual(at(await newestMessage(alice), 'reactions'), [reaction]);
	for (const events of queues) {
		t.deepEqual(await events(), [{type: 'reaction', op: 'add', message_id: id, ...reaction}]);
	}
});

test('the realm tells nobody else of a reaction to a direct message', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const others = await queueOf(await signIn(t, 'olivia', realm), 'reaction');
	const own = await queueOf(bob, 'reaction');
	const id = await send(alice, `type=direct&to=[${bob.userId}]`);

	await react(alice, id, 'emoji_name=heart');

	t.is((await own()).length, 1);
	t.deepEqual(await others(), []);
});

test('whoever reacts to a message that was not sent to them hears of it too', async t => {
	const realm = await openRealm(t);
	const [alice, olivia] = [await signIn(t, 'alice', realm), await signIn(t, 'olivia', realm)];
	const id = await send(alice, 'type=channel&to=lunch&topic=x');
	const events = await queueOf(olivia, 'reaction');

	expectSuccess(t, await react(olivia, id, 'emoji_name=pizza'));

	t.is((await events()).length, 1);
	const {json} = await olivia.get(`/api/v1/messages/${id}`);
	t.deepEqual(at(json, 'message', 'flags'), ['read', 'historical']);
});

test('reactions stand in the order in which they came, under the name that was first', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const id = await send(alice, 'type=channel&to=general&topic=x');

	await react(bob, id, 'emoji_name=thumbs_up');
	await react(bob, id, 'emoji_name=heart&emoji_code=2764&reaction_type=unicode_emoji');
	expectSuccess(t, await react(alice, id, 'emoji_name=%2B1'));

	const common = {reaction_type: 'unicode_emoji'};
	t.deepEqual(await reactionsTo(alice, id), [
		{...common, emoji_name: 'thumbs_up', emoji_code: '1f44d', user_id: bob.userId},
		{...common, emoji_name: 'heart', emoji_code: '2764', user_id: bob.userId},
		{...common, emoji_name: 'thumbs_up', emoji_code: '1f44d', user_id: alice.userId},
	]);
});

const extra = test.macro({
	title: (_, form: string) => `the realm reacts with a special built-in emoji, asked for by ${form}`,
	async exec(t, form: string) {
		const alice = await signIn(t);
		const id = await send(alice, 'type=channel&to=general&topic=x');

		expectSuccess(t, await react(alice, id, form));

		t.deepEqual(await reactionsTo(alice, id), [
			{emoji_name: 'bothy', emoji_code: 'bothy', reaction_type: 'service_extra_emoji', user_id: alice.userId},
		]);
	},
});

test(extra, 'emoji_name=bothy');
test(extra, 'emoji_name=bothy&emoji_code=bothy&reaction_type=service_extra_emoji');
test(extra, 'emoji_name=bothy&reaction_type=zulip_extra_emoji');

test('the realm refuses the same emoji twice, under whichever name, and keeps one', async t => {
	const alice = await signIn(t);
	const id = await send(alice, 'type=channel&to=general&topic=x');
	await react(alice, id, 'emoji_name=%2B1');
	const events = await queueOf(alice, 'reaction');

	expectRefusal(t, await react(alice, id, 'emoji_name=thumbs_up'), EXISTS);

	t.is(Object(await reactionsTo(alice, id)).length, 1);
	t.deepEqual(await events(), []);
});

test('reactions outlive the realm', async t => {
	const file = await temporaryFile(t);
	const first = await startRealm({file, port: 0});
	const before = await signIn(t, 'alice', first);
	const id = await send(before, 'type=channel&to=general&topic=x');
	await react(before, id, 'emoji_name=octopus');
	await first.close();

	const alice = await signIn(t, 'alice', await openRealm(t, {file}));

	t.is(at(await reactionsTo(alice, id), 0, 'emoji_name'), 'octopus');
});

test('the realm refuses a reaction to a message that the caller cannot see', async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const id = await send(alice, `type=direct&to=[${alice.userId}]`);

	expectRefusal(t, await react(bob, id, 'emoji_name=tada'), badRequest('Invalid message(s)'));
});

test('the realm names the parameters of a reaction that it does not know', async t => {
	const alice = await signIn(t);
	const id = await send(alice, 'type=channel&to=general&topic=x');

	const {json} = await react(alice, id, 'emoji_name=tada&colour=red');

	t.deepEqual(at(json, 'ignored_parameters_unsupported'), ['colour']);
});

const reactWith = (form: string) => async (caller: Caller) =>
	react(caller, await send(caller, 'type=channel&to=general&topic=x'), form);

test('a reaction without emoji', refused, {ask: reactWith('emoji_code=1f389'), answer: missing('emoji_name')});
test('an emoji that does not exist', refused, {
	ask: reactWith('emoji_name=no_such_emoji'),
	answer: badRequest("Emoji 'no_such_emoji' does not exist"),
});
test('a reaction to a message that never was, before its emoji', refused, {
	ask: alice => react(alice, 4711, 'emoji_name=no_such_emoji'),
	answer: badRequest('Invalid message(s)'),
});
test('a code that is no emoji', refused, {
	ask: reactWith('emoji_name=tada&emoji_code=zz&reaction_type=unicode_emoji'),
	answer: badRequest('Invalid emoji code.'),
});
test("another emoji's code", refused, {
	ask: reactWith('emoji_name=tada&emoji_code=2764'),
	answer: badRequest('Invalid emoji name.'),
});
test('a custom emoji that does not exist', refused, {
	ask: reactWith('emoji_name=tada&emoji_code=1&reaction_type=realm_emoji'),
	answer: badRequest('Invalid custom emoji.'),
});
test('an extra emoji that does not exist', refused, {
	ask: reactWith('emoji_name=tada&emoji_code=tada&reaction_type=service_extra_emoji'),
	answer: badRequest('Invalid emoji code.'),
});
test('an unknown type of reaction', refused, {
	ask: reactWith('emoji_name=tada&reaction_type=sticker'),
	answer: badRequest('Invalid emoji type.'),
});
