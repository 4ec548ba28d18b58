import test from 'ava';
import {openRealm, signIn} from '../realm/realm-kit.js';
import {getWithoutLogin, NOT_LOGGED_IN} from './without-login.js';

async function tell(t: Parameters<typeof openRealm>[0]) {
	const realm = await openRealm(t);
	const [olivia, mona] = [await signIn(realm, 'olivia'), await signIn(realm, 'mona')];
	return {
		realm,
		open: await mona.say({channel: 'announcements'}, 'for all the web'),
		members: await mona.say({channel: 'general'}, 'for members'),
		own: await mona.say({dm: [olivia.email]}, 'for olivia'),
	};
}

test('without login one reads the history of web-public channels alone, and no address', async t => {
	const {realm, open} = await tell(t);

	for (const [operator, operand] of [
		['channels', 'web-public'],
		['channel', 'announcements'],
	]) {
		const narrow = encodeURIComponent(JSON.stringify([{operator, operand}]));
		const {json, body} = await getWithoutLogin(
			realm,
			`/api/v1/messages?anchor=newest&num_before=100&client_gravatar=false&narrow=${narrow}`,
		);
		const {messages} = json as {messages: Array<{id: number; sender_email: string; sender_full_name: string}>};
		t.deepEqual(
			messages.map(message => [message.id, message.sender_full_name, message.sender_email]),
			[[open, 'Mona Moss', 'user3@bothy.example']],
		);
		t.false(body.includes('mona@'));
	}

	const general = encodeURIComponent('[{"operator":"channel","operand":"general"}]');
	const closed = await getWithoutLogin(realm, `/api/v1/messages?anchor=newest&num_before=100&narrow=${general}`);
	t.is(closed.statusLine, 'HTTP/1.1 400 Bad Request');
	const all = await getWithoutLogin(realm, '/api/v1/messages?anchor=newest&num_before=100');
	t.true(all.body.includes('"messages":[]'));
});

test('without login one fetches a message of a web-public channel, and no other', async t => {
	const {realm, open, members, own} = await tell(t);
	const status = async (id: number) => (await getWithoutLogin(realm, `/api/v1/messages/${id}`)).statusLine;

	t.is(await status(open), 'HTTP/1.1 200 OK');
	t.is(await status(members), 'HTTP/1.1 400 Bad Request');
	t.is(await status(own), 'HTTP/1.1 400 Bad Request');
});

test('without public access nothing is read without login, and the server says so', async t => {
	const realm = await openRealm(t, {publicAccess: false});

	for (const path of ['/api/v1/users', '/api/v1/messages?anchor=newest', '/api/v1/messages/1']) {
		const answer = await getWithoutLogin(realm, path);
		t.is(answer.statusLine, `HTTP/1.1 ${NOT_LOGGED_IN.status}`);
		t.deepEqual(answer.json, NOT_LOGGED_IN.json);
	}

	const {body} = await getWithoutLogin(realm, '/api/v1/server_settings');
	t.true(body.includes('"realm_web_public_access_enabled":false'));
});
