import test from 'ava';
import {clientCalls} from './kit/client-calls.js';
import {clientAnswered} from './kit/raw-client.js';
import {
	badRequest,
	type Caller,
	expectRefusal,
	expectSuccess,
	openRealm,
	sendRequest,
	signIn,
} from './kit/raw-request.js';
import {answers, like, refusal, type Step, story} from './kit/story.js';

const PNG = '\u0089PNG\r\n\u001a\n0000';

function upload(caller: Caller, name: string, bytes = PNG) {
	const lines = [
		'--frontier',
		'Content-Disposition: form-data; name="f"; filename="x.png"',
		'',
		bytes,
		'--frontier--',
		'',
	];
	return caller.post(`/api/v1/realm/emoji/${name}`, lines.join('\r\n'), [
		'Content-Type: multipart/form-data; boundary=frontier',
	]);
}

/** GIFs are plain ASCII at their beginning. */
const GIF = 'GIF89a';
const uploads =
	(who: string, name: string): Step =>
	async (t, scene) =>
		expectSuccess(t, await upload(await scene.who(who), name, GIF));
const refuses =
	(who: string, name: string, msg: string, bytes = GIF): Step =>
	async (t, scene) =>
		expectRefusal(t, await upload(await scene.who(who), name, bytes), badRequest(msg));

clientCalls('getCustomEmoji', {
	'reads emoji by ID': [
		{},
		'GET /api/v1/realm/emoji',
		'"emoji":{"1":{"id":"1","name":"green_tick","deactivated":false,' +
			'"source_url":"/user_avatars/1/emoji/images/1.png","still_url":null,"author_id":5}}',
	],
});

test('uploadCustomEmoji: the client writes the name in the path and one file', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await client.uploadCustomEmoji({emoji_name: 'tabby', file: new File(['x'], 'cat.png')});

	const {line, body} = await server.request();
	t.is(line, 'POST /api/v1/realm/emoji/tabby HTTP/1.1');
	t.regex(body, /filename="cat\.png"/);
});

clientCalls('deactivateCustomEmoji', {
	'writes the name in the path': [{emoji_name: 'tabby'}, 'DELETE /api/v1/realm/emoji/tabby'],
});

const CAT = {
	id: '1',
	name: 'grey_tabby',
	source_url: '$picture',
	deactivated: false,
	author_id: 4,
	still_url: null,
} as const;

story('uploadCustomEmoji', 'adds an emoji that everybody can use from then on', [
	['bob GET /api/v1/realm/emoji', {emoji: {}}],
	{listen: 'bob', to: 'realm_emoji'},
	uploads('alice', 'grey%20tabby'),
	{heard: 'bob', events: [{type: 'realm_emoji', op: 'update', realm_emoji: {'1': CAT}}]},
	['bob GET /api/v1/realm/emoji', {emoji: {'1': CAT}}],
	['bob POST /api/v1/register fetch_event_types=["realm_emoji"]', like({realm_emoji: {'1': CAT}})],
	async (t, {realm, names}) => {
		const answer = await sendRequest(realm.url, `GET ${names.get('picture')}`);
		t.is(answer.body, GIF);
		t.is(answer.headers['content-type'], 'image/gif');
	},
	['bob POST /api/v1/messages type=direct&to=[4]&content=:grey_tabby:', like({id: '$id'})],
	['bob POST /api/v1/messages/$id/reactions emoji_name=grey_tabby', {}],
	[
		'bob GET /api/v1/messages/$id',
		like({message: like({reactions: [like({emoji_code: '1', reaction_type: 'realm_emoji'})]})}),
	],
]);

story('uploadCustomEmoji', 'refuses names that do not fit or are taken, what is no picture, guests and bots', [
	uploads('alice', 'tabby'),
	refuses('alice', 'tabby', 'A custom emoji with this name already exists.'),
	refuses(
		'alice',
		'Tabby',
		'Emoji names must contain only lowercase English letters, digits, spaces, dashes, and underscores.',
	),
	refuses('alice', '%20', 'Emoji name is missing'),
	refuses('alice', 'tabby_', 'Emoji names must end with either a letter or digit.'),
	refuses('alice', 'rover', 'Invalid image format', '<svg/>'),
	refuses('gus', 'rover', 'Insufficient permission'),
	refuses('alice-bot', 'rover', 'This endpoint does not accept bot requests.'),
	refuses('alice', 'octopus', 'Only administrators can override default emoji.'),
	uploads('adam', 'octopus'),
	['alice POST /api/v1/realm/emoji/rover', 'You must specify a file to upload'],
]);

story('deactivateCustomEmoji', 'takes an emoji back for its author and administrators', [
	uploads('alice', 'tabby'),
	uploads('alice', 'rover'),
	['bob DELETE /api/v1/realm/emoji/tabby', 'Must be an organization administrator or emoji author'],
	['alice DELETE /api/v1/realm/emoji/tabby', {}],
	['adam DELETE /api/v1/realm/emoji/rover', {}],
	['adam DELETE /api/v1/realm/emoji/rover', refusal('404 Not Found', "Emoji 'rover' does not exist")],
	[
		'bob GET /api/v1/realm/emoji',
		{emoji: {'1': like({name: 'tabby', deactivated: true}), '2': like({name: 'rover', deactivated: true})}},
	],
	uploads('bob', 'tabby'),
]);

story('addReaction', 'refuses a custom emoji under another name, and one that was taken back', [
	uploads('alice', 'tabby'),
	[
		'bob POST /api/v1/messages/1/reactions emoji_name=rover&emoji_code=1&reaction_type=realm_emoji',
		'Invalid custom emoji name.',
	],
	['alice DELETE /api/v1/realm/emoji/tabby'],
	[
		'bob POST /api/v1/messages/1/reactions emoji_name=tabby&emoji_code=1&reaction_type=realm_emoji',
		'This custom emoji has been deactivated.',
	],
]);

test('uploadCustomEmoji: pictures are at most 5 MiB', async t => {
	const realm = await openRealm(t);
	const alice = await signIn(t, 'alice', realm);

	const answer = await upload(alice, 'tabby', `GIF89a${'x'.repeat(5 * 1024 * 1024)}`);

	expectRefusal(t, answer, badRequest('Uploaded file is larger than the allowed limit of 5 MiB'));
});

story('getCustomEmoji', 'lists what people uploaded', [
	uploads('alice', 'tabby'),
	['bob GET /api/v1/realm/emoji', {emoji: {'1': like({name: 'tabby', author_id: 4})}}],
]);

answers('getCustomEmoji', {
	'knows no picture that nobody uploaded': [
		'nobody GET /user_avatars/1/emoji/images/x.gif',
		refusal('404 Not Found', 'File not found.'),
	],
});
