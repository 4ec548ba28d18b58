import test from 'ava';
import {queueOf} from './event-kit.js';
import {fieldOf, profileOf} from './field-kit.js';
import {clientAnswered} from './raw-client.js';
import {at, badRequest, type Caller, expectSuccess, openRealm, signIn} from './raw-request.js';
import {refused} from './refused.js';

test('the client names the field in the path and writes the rest as a form', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await client.updateProfileField({
		field_id: 4,
		name: 'Editor',
		hint: '',
		field_data: {subtype: 'github'},
		display_in_profile_summary: false,
		required: true,
		editable_by_user: true,
	});

	const request = await server.request();
	t.is(request.line, 'PATCH /api/v1/realm/profile_fields/4 HTTP/1.1');
	t.is(
		request.body,
		'name=Editor&hint=&field_data=%7B%22subtype%22%3A%22github%22%7D&display_in_profile_summary=false&required=true' +
			'&editable_by_user=true',
	);
});

const desk = {
	id: 1,
	name: 'Desk',
	type: 1,
	hint: 'Where to find you',
	field_data: '',
	order: 0,
	required: false,
	editable_by_user: true,
};

for (const [form, change] of [
	['name=+Room+', {name: 'Room'}],
	['name=Desk', {}],
	['hint=', {hint: ''}],
	['required=true', {required: true}],
	['editable_by_user=false', {editable_by_user: false}],
] as const) {
	test(`the realm obeys ${form} for a field, leaves the rest, and tells everybody`, async t => {
		const realm = await openRealm(t);
		const [adam, alice] = [await signIn(t, 'adam', realm), await signIn(t, 'alice', realm)];
		const events = await queueOf(alice, 'custom_profile_fields');

		const answer = await adam.patch('/api/v1/realm/profile_fields/1', form);

		expectSuccess(t, answer);
		t.deepEqual(answer.json, {result: 'success', msg: ''});
		t.deepEqual(await fieldOf(alice, 1), {...desk, ...change});
		const [event] = await events();
		t.deepEqual(at(event ?? null, 'fields', 0), {...desk, ...change});
	});
}

test('the realm takes a field out of the summary, and another in', async t => {
	const adam = await signIn(t, 'adam');
	const isShown = async (id: number) => 'display_in_profile_summary' in Object(await fieldOf(adam, id));

	expectSuccess(t, await adam.patch('/api/v1/realm/profile_fields/5', 'display_in_profile_summary=true'));
	expectSuccess(t, await adam.patch('/api/v1/realm/profile_fields/5', 'display_in_profile_summary=false'));
	expectSuccess(t, await adam.patch('/api/v1/realm/profile_fields/1', 'display_in_profile_summary=true'));

	t.deepEqual([await isShown(1), await isShown(5), await isShown(8)], [true, false, true]);
});

test('the realm forgets who had chosen an option that is no more', async t => {
	const realm = await openRealm(t);
	const [adam, carla] = [await signIn(t, 'adam', realm), await signIn(t, 'carla', realm)];
	const form = (options: string) => `field_data=${encodeURIComponent(options)}`;
	const [soup, bread] = ['"0":{"text":"Soup","order":"1"}', '"1":{"text":"Bread","order":"2"}'];

	expectSuccess(t, await adam.patch('/api/v1/realm/profile_fields/3', form(`{${soup}}`)));
	t.deepEqual(await profileOf(carla, 6), {3: {value: '0'}});

	expectSuccess(t, await adam.patch('/api/v1/realm/profile_fields/3', form(`{${bread}}`)));
	t.deepEqual(await profileOf(carla, 6), {});
	t.is(at(await fieldOf(carla, 3), 'field_data'), `{${bread}}`);
});

const patch = (path: string, form: string) => (caller: Caller) =>
	caller.patch(`/api/v1/realm/profile_fields/${path}`, form);

test('a member who would change a profile field', refused, {
	ask: patch('1', 'name=Room'),
	answer: {
		status: '400 Bad Request',
		json: {result: 'error', msg: 'Must be an organization administrator', code: 'UNAUTHORIZED_PRINCIPAL'},
	},
});

for (const [path, form, text] of [
	['99', 'name=Room', 'Field id 99 not found.'],
	['1', 'name=', 'Label cannot be blank.'],
	['1', 'name=Badge', 'A field with that label already exists.'],
	['1', `name=${'x'.repeat(41)}`, 'name is too long (limit: 40 characters)'],
	['1', `hint=${'x'.repeat(81)}`, 'hint is too long (limit: 80 characters)'],
	['1', 'required=1', 'required is not a boolean'],
	['3', 'field_data=%7B%7D', 'Field must have at least one choice.'],
	['2', 'display_in_profile_summary=true', 'Field type not supported for display in profile summary.'],
	['1', 'display_in_profile_summary=true', 'Only 2 custom profile fields can be displayed in the profile summary.'],
] as const) {
	test(`field ${path} with ${form.slice(0, 50)}`, refused, {
		as: 'adam',
		ask: patch(path, form),
		answer: badRequest(text),
	});
}
