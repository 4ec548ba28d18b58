import test from 'ava';
import {clientAnswered} from './raw-client.js';
import {at, expectSuccess, openRealm, signIn} from './raw-request.js';

test('the client reads fields with everything in them', async t => {
	const fields =
		'[{"id":4,"name":"Editor","type":3,"hint":"","field_data":"{\\"0\\":{\\"text\\":\\"Vim\\",\\"order\\":\\"1\\"}}",' +
		'"order":0,"required":true,"editable_by_user":false},' +
		'{"id":5,"name":"Site","type":5,"hint":"Yours","field_data":"","order":1,"display_in_profile_summary":true}]';
	const {client, server} = await clientAnswered(t, `{"result":"success","msg":"","custom_fields":${fields}}\n`);

	const answer = await client.getProfileFields();

	t.is((await server.request()).line, 'GET /api/v1/realm/profile_fields HTTP/1.1');
	t.deepEqual<object, object>(answer.custom_fields, JSON.parse(fields) as object);
});

const dishes = '{"0":{"text":"Soup","order":"1"},"1":{"text":"Bread","order":"2"},"2":{"text":"Cake","order":"3"}}';
const usual = {hint: '', field_data: '', required: false, editable_by_user: true};
const demo = [
	{...usual, id: 1, name: 'Desk', type: 1, hint: 'Where to find you', order: 0},
	{...usual, id: 2, name: 'About me', type: 2, order: 1},
	{...usual, id: 3, name: 'Favourite dish', type: 3, field_data: dishes, order: 2},
	{...usual, id: 4, name: 'Birthday', type: 4, order: 3},
	{...usual, id: 5, name: 'Homepage', type: 5, order: 4, display_in_profile_summary: true},
	{...usual, id: 6, name: 'Mentor', type: 6, hint: 'Who showed you around', order: 5},
	{...usual, id: 7, name: 'GitHub username', type: 7, field_data: '{"subtype":"github"}', order: 6},
	{...usual, id: 8, name: 'Pronouns', type: 8, order: 7, display_in_profile_summary: true},
	{...usual, id: 9, name: 'Badge', type: 1, order: 8, editable_by_user: false},
];

test('the realm lists a field of each type, for guests too', async t => {
	const gus = await signIn(t, 'gus');

	const answer = await gus.get('/api/v1/realm/profile_fields');

	expectSuccess(t, answer);
	t.deepEqual(answer.json, {result: 'success', msg: '', custom_fields: demo});
});

test('the realm gives fields, their types and what people filled in with a new queue', async t => {
	const realm = await openRealm(t);
	const alice = await signIn(t, 'alice', realm);

	const {json} = await alice.post(
		'/api/v1/register',
		'event_types=%5B%22custom_profile_fields%22%2C%22realm_user%22%5D',
	);

	t.deepEqual(at(json, 'custom_profile_fields'), demo);
	t.deepEqual(at(json, 'custom_profile_field_types'), {
		SHORT_TEXT: {id: 1, name: 'Text (short)'},
		LONG_TEXT: {id: 2, name: 'Text (long)'},
		SELECT: {id: 3, name: 'List of options'},
		DATE: {id: 4, name: 'Date'},
		URL: {id: 5, name: 'Link'},
		USER: {id: 6, name: 'Users'},
		EXTERNAL_ACCOUNT: {id: 7, name: 'External account'},
		PRONOUNS: {id: 8, name: 'Pronouns'},
	});
	const users = at(json, 'realm_users');
	const gus = Array.isArray(users) ? users.find(user => at(user, 'user_id') === 7) : undefined;
	t.deepEqual(at(gus ?? null, 'profile_data'), {6: {value: '[4]'}});
});
