import test from 'ava';
import {queueOf} from './event-kit.js';
import {AUTHORIZATION, clientAnswered, clientRefused, refusalOf} from './raw-client.js';
import {
	at,
	badRequest,
	type Caller,
	expectRefusal,
	expectSuccess,
	type Json,
	openRealm,
	signIn,
} from './raw-request.js';
import {refused} from './refused.js';

const GONE = {
	status: '400 Bad Request',
	json: {result: 'error', msg: "Reaction doesn't exist.", code: 'REACTION_DOES_NOT_EXIST'},
};

/** A new message with the caller's tada; answers its ID. */
async function reacted(caller: Caller): Promise<number> {
	const {json} = await caller.post('/api/v1/messages', 'type=channel&to=general&topic=x&content=x');
	const id = Number(at(json, 'id'));
	await caller.post(`/api/v1/messages/${id}/reactions`, 'emoji_name=tada');
	return id;
}

const remove = (caller: Caller, id: number, form: string) => caller.delete(`/api/v1/messages/${id}/reactions`, form);

async function reactionsTo(caller: Caller, id: number): Promise<Json> {
	return at((await caller.get(`/api/v1/messages/${id}`)).json, 'message', 'reactions');
}

test('the client writes the emoji to take back in a form', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await client.removeReaction({message_id: 43, emoji_code: '1f419', reaction_type: 'unicode_emoji'});

	const request = await server.request();
	t.is(request.line, 'DELETE /api/v1/messages/43/reactions HTTP/1.1');
	t.is(request.headers.authorization, AUTHORIZATION);
	t.is(request.headers['content-type'], 'application/x-www-form-urlencoded');
	t.is(request.body, 'emoji_code=1f419&reaction_type=unicode_emoji');
});

test('the client throws an ApiError for a reaction that is not there', async t => {
	const {client} = await clientRefused(
		t,
		'400 Bad Request',
		'{"result":"error","msg":"Reaction doesn\'t exist.","code":"REACTION_DOES_NOT_EXIST"}\n',
	);

	t.deepEqual(await refusalOf(t, client.removeReaction({message_id: 43, emoji_name: 'octopus'})), {
		code: 'REACTION_DOES_NOT_EXIST',
		status: 400,
		reason: "Reaction doesn't exist.",
		fields: {},
	});
});

for (const form of ['emoji_name=tada', 'emoji_code=1f389', 'emoji_code=1f389&reaction_type=unicode_emoji']) {
	test(`the realm takes back the reaction ${form}, and tells everybody who got the message`, async t => {
		const realm = await openRealm(t);
		const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
		const id = await reacted(alice);
		const events = await queueOf(bob, 'reaction');

		const answer = await remove(alice, id, form);

		expectSuccess(t, answer);
		t.is(answer.body, '{"result":"success","msg":""}\n');
		t.deepEqual(await reactionsTo(bob, id), []);
		t.deepEqual(await events(), [
			{
				type: 'reaction',
				op: 'remove',
				message_id: id,
				user_id: alice.userId,
				emoji_name: 'tada',
				emoji_code: '1f389',
				reaction_type: 'unicode_emoji',
			},
		]);
	});
}

test('a reaction is taken back once', async t => {
	const alice = await signIn(t);
	const id = await reacted(alice);

	expectSuccess(t, await remove(alice, id, 'emoji_name=tada'));
	expectRefusal(t, await remove(alice, id, 'emoji_name=tada'), GONE);
});

test("somebody else's reaction stays", async t => {
	const realm = await openRealm(t);
	const [alice, bob] = [await signIn(t, 'alice', realm), await signIn(t, 'bob', realm)];
	const id = await reacted(alice);

	expectRefusal(t, await remove(bob, id, 'emoji_name=tada'), GONE);

	t.is(Object(await reactionsTo(alice, id)).length, 1);
});

const removeWith = (form: string) => async (caller: Caller) => remove(caller, await reacted(caller), form);

test('taking back no emoji', refused, {
	ask: removeWith(''),
	answer: badRequest('At least one of the following arguments must be present: emoji_name, emoji_code'),
});
test('taking back an emoji that does not exist', refused, {
	ask: removeWith('emoji_name=no_such_emoji'),
	answer: badRequest("Emoji 'no_such_emoji' does not exist"),
});
test('taking back an emoji of another type', refused, {
	ask: removeWith('emoji_name=tada&reaction_type=realm_emoji'),
	answer: GONE,
});
test('taking back a reaction to a message that never was', refused, {
	ask: alice => remove(alice, 4711, ''),
	answer: badRequest('Invalid message(s)'),
});
