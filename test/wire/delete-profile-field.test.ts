import test from 'ava';
import {queueOf} from './event-kit.js';
import {fieldIds, profileOf} from './field-kit.js';
import {clientAnswered} from './raw-client.js';
import {at, badRequest, type Caller, expectSuccess, openRealm, signIn} from './raw-request.js';
import {refused} from './refused.js';

test('the client names the field in the path', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await client.deleteProfileField({field_id: 4});

	t.is((await server.request()).line, 'DELETE /api/v1/realm/profile_fields/4 HTTP/1.1');
});

test('the realm deletes a field with what people had filled in, and tells everybody', async t => {
	const realm = await openRealm(t);
	const [adam, alice] = [await signIn(t, 'adam', realm), await signIn(t, 'alice', realm)];
	const events = await queueOf(alice, 'custom_profile_fields');

	const answer = await adam.delete('/api/v1/realm/profile_fields/6', '');

	expectSuccess(t, answer);
	t.deepEqual(answer.json, {result: 'success', msg: ''});
	t.deepEqual(await fieldIds(alice), [1, 2, 3, 4, 5, 7, 8, 9]);
	t.deepEqual(await profileOf(alice, 5), {
		1: {value: 'Second floor', rendered_value: '<p>Second floor</p>'},
		5: {value: 'https://bob.bothy.example/'},
	});
	const [event] = await events();
	const fields = at(event ?? null, 'fields');
	t.is(Array.isArray(fields) && fields.length, 8);
});

const remove = (id: number) => (caller: Caller) => caller.delete(`/api/v1/realm/profile_fields/${id}`, '');

test('a profile field that there is not', refused, {
	as: 'adam',
	ask: remove(99),
	answer: badRequest('Field id 99 not found.'),
});
test('a member who would delete a profile field', refused, {
	ask: remove(1),
	answer: {
		status: '400 Bad Request',
		json: {result: 'error', msg: 'Must be an organization administrator', code: 'UNAUTHORIZED_PRINCIPAL'},
	},
});
