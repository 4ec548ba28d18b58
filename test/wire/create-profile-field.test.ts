import test from 'ava';
import {queueOf} from './event-kit.js';
import {fieldIds, fieldOf} from './field-kit.js';
import {clientAnswered} from './raw-client.js';
import {at, badRequest, type Caller, expectRefusal, expectSuccess, missing, openRealm, signIn} from './raw-request.js';
import {refused} from './refused.js';

test('the client writes a field as a form', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":"","id":9}\n');

	const {id} = await client.createProfileField({
		name: 'Editor',
		field_type: 3,
		hint: 'Which?',
		field_data: {0: {text: 'Vim', order: '1'}},
		display_in_profile_summary: true,
		required: true,
		editable_by_user: false,
	});

	const request = await server.request();
	t.is(request.line, 'POST /api/v1/realm/profile_fields HTTP/1.1');
	t.is(
		request.body,
		'name=Editor&field_type=3&hint=Which%3F&field_data=%7B%220%22%3A%7B%22text%22%3A%22Vim%22%2C%22order%22%3A%221%22%7D%7D' +
			'&display_in_profile_summary=true&required=true&editable_by_user=false',
	);
	t.is(id, 9);
});

test('the realm makes a field with everything in it, and tells everybody', async t => {
	const realm = await openRealm(t);
	const [adam, alice] = [await signIn(t, 'adam', realm), await signIn(t, 'alice', realm)];
	const events = await queueOf(alice, 'custom_profile_fields');

	const answer = await adam.post(
		'/api/v1/realm/profile_fields',
		'name=+Editor+&field_type=3&hint=Which%3F&required=true&editable_by_user=false' +
			'&field_data=%7B%220%22%3A%7B%22text%22%3A%22Vim%22%2C%22order%22%3A%221%22%7D%7D',
	);

	expectSuccess(t, answer);
	const id = at(answer.json, 'id');
	t.deepEqual(answer.json, {result: 'success', msg: '', id});
	t.deepEqual(await fieldOf(alice, id), {
		id,
		name: 'Editor',
		type: 3,
		hint: 'Which?',
		field_data: '{"0":{"text":"Vim","order":"1"}}',
		order: 9,
		required: true,
		editable_by_user: false,
	});
	t.deepEqual(await events(), [
		{
			type: 'custom_profile_fields',
			fields: at((await alice.get('/api/v1/realm/profile_fields')).json, 'custom_fields'),
		},
	]);
});

test('the realm names a known external account itself, and takes one that it does not know', async t => {
	const realm = await openRealm(t);
	const adam = await signIn(t, 'adam', realm);
	const post = (form: string) => adam.post('/api/v1/realm/profile_fields', `field_type=7&field_data=${form}`);

	const known = await post('%7B%22subtype%22%3A%22twitter%22%7D&name=Bird');
	const custom = await post(
		'%7B%22subtype%22%3A%22custom%22%2C%22url_pattern%22%3A%22https%3A%2F%2Fforge.example%2F%25(username)s%22%7D&name=Forge',
	);

	t.is(at(await fieldOf(adam, at(known.json, 'id')), 'name'), 'Twitter username');
	t.is(at(await fieldOf(adam, at(custom.json, 'id')), 'name'), 'Forge');
});

test('the realm shows two fields in the summary and no more', async t => {
	const realm = await openRealm(t);
	const adam = await signIn(t, 'adam', realm);
	const form = 'name=Town&field_type=1&display_in_profile_summary=true';

	expectRefusal(
		t,
		await adam.post('/api/v1/realm/profile_fields', form),
		badRequest('Only 2 custom profile fields can be displayed in the profile summary.'),
	);

	expectSuccess(t, await adam.delete('/api/v1/realm/profile_fields/8', ''));
	const {json} = await adam.post('/api/v1/realm/profile_fields', form);
	t.is(at(await fieldOf(adam, at(json, 'id')), 'display_in_profile_summary'), true);
});

for (const [level, form, name] of [
	[145, 'display_in_profile_summary=true', 'display_in_profile_summary'],
	[243, 'required=true', 'required'],
	[295, 'editable_by_user=false', 'editable_by_user'],
] as const) {
	test(`a realm of feature level ${level} does not know ${name} of a field`, async t => {
		const realm = await openRealm(t, {featureLevel: level});
		const [adam, alice] = [await signIn(t, 'adam', realm), await signIn(t, 'alice', realm)];

		const {json} = await adam.post('/api/v1/realm/profile_fields', `name=Town&field_type=1&${form}`);

		const id = at(json, 'id');
		t.false(name in Object(await fieldOf(adam, id)));
		// Everybody fills in what nobody could keep for administrators.
		const data = encodeURIComponent(`[{"id":${id},"value":"Rome"}]`);
		expectSuccess(t, await alice.patch('/api/v1/users/me/profile_data', `data=${data}`));
	});
}

const post = (form: string) => (caller: Caller) => caller.post('/api/v1/realm/profile_fields', form);

test('the name of a profile field may have 40 characters and its hint 80, whatever they are', async t => {
	const adam = await signIn(t, 'adam');
	const [name, hint] = [encodeURIComponent('🍲'.repeat(40)), encodeURIComponent('🍲'.repeat(80))];

	expectSuccess(t, await adam.post('/api/v1/realm/profile_fields', `field_type=1&name=${name}&hint=${hint}`));
});

test('a member who would make a profile field', refused, {
	ask: post('name=Town&field_type=1'),
	answer: {
		status: '400 Bad Request',
		json: {result: 'error', msg: 'Must be an organization administrator', code: 'UNAUTHORIZED_PRINCIPAL'},
	},
});
test('a profile field without type', refused, {as: 'adam', ask: post('name=Town'), answer: missing('field_type')});

for (const [form, text] of [
	['field_type=1', 'Label cannot be blank.'],
	['field_type=1&name=+', 'Label cannot be blank.'],
	['field_type=1&name=Desk', 'A field with that label already exists.'],
	[`field_type=1&name=${'x'.repeat(41)}`, 'name is too long (limit: 40 characters)'],
	[`field_type=1&name=Town&hint=${'x'.repeat(81)}`, 'hint is too long (limit: 80 characters)'],
	['field_type=9&name=Town', 'Invalid field_type: Value error, Not in the list of possible values'],
	['field_type=1.5&name=Town', 'field_type is not an integer'],
	['field_type=%221%22&name=Town', 'field_type is not an integer'],
	['field_type=3&name=Dish', 'Field must have at least one choice.'],
	['field_type=3&name=Dish&field_data=%5B%5D', 'field_data is not a dict'],
	[
		'field_type=3&name=Dish&field_data=%7B%220%22%3A%22Soup%22%7D',
		'field_data is not a dict of choices, each with text and order',
	],
	[
		'field_type=3&name=Dish&field_data=%7B%220%22%3A%7B%22text%22%3A%22a%22%2C%22order%22%3A%221%22%7D%2C%221%22%3A%7B%22text%22%3A%22a%22%2C%22order%22%3A%222%22%7D%7D',
		'Field must not have duplicate choices.',
	],
	['field_type=7&name=Forge', 'Invalid external account type'],
	['field_type=7&name=Forge&field_data=%7B%22subtype%22%3A%22forge%22%7D', 'Invalid external account type'],
	[
		'field_type=7&name=Forge&field_data=%7B%22subtype%22%3A%22custom%22%7D',
		'Custom external account must define URL pattern',
	],
	[
		'field_type=7&name=Forge&field_data=%7B%22subtype%22%3A%22custom%22%2C%22url_pattern%22%3A%22https%3A%2F%2Fx.example%22%7D',
		'Malformed URL pattern.',
	],
	[
		'field_type=2&name=Life&display_in_profile_summary=true',
		'Field type not supported for display in profile summary.',
	],
	[
		'field_type=6&name=Boss&display_in_profile_summary=true',
		'Field type not supported for display in profile summary.',
	],
] as const) {
	test(`the realm refuses a profile field of ${form.slice(0, 90)}, and makes none`, async t => {
		const adam = await signIn(t, 'adam');
		const before = await fieldIds(adam);

		expectRefusal(t, await adam.post('/api/v1/realm/profile_fields', form), badRequest(text));

		t.deepEqual(await fieldIds(adam), before);
	});
}
