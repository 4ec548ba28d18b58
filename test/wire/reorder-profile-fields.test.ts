import test from 'ava';
import {queueOf} from './event-kit.js';
import {fieldIds} from './field-kit.js';
import {clientAnswered} from './raw-client.js';
import {at, badRequest, type Caller, expectSuccess, missing, openRealm, signIn} from './raw-request.js';
import {refused} from './refused.js';

test('the client writes the order as JSON', async t => {
	const {client, server} = await clientAnswered(t, '{"result":"success","msg":""}\n');

	await client.reorderProfileFields({order: [3, 1, 2]});

	const request = await server.request();
	t.is(request.line, 'PATCH /api/v1/realm/profile_fields HTTP/1.1');
	t.is(request.body, 'order=%5B3%2C1%2C2%5D');
});

test('the realm lists fields in the new order, and tells everybody', async t => {
	const realm = await openRealm(t);
	const [adam, alice] = [await signIn(t, 'adam', realm), await signIn(t, 'alice', realm)];
	const events = await queueOf(alice, 'custom_profile_fields');

	const answer = await adam.patch('/api/v1/realm/profile_fields', 'order=%5B9%2C8%2C7%2C6%2C5%2C4%2C3%2C2%2C1%5D');

	expectSuccess(t, answer);
	t.deepEqual(answer.json, {result: 'success', msg: ''});
	t.deepEqual(await fieldIds(alice), [9, 8, 7, 6, 5, 4, 3, 2, 1]);
	const [event] = await events();
	t.is(at(event ?? null, 'fields', 0, 'id'), 9);
	t.is(at(event ?? null, 'fields', 0, 'order'), 0);
});

const patch = (form: string) => (caller: Caller) => caller.patch('/api/v1/realm/profile_fields', form);

test('an order that leaves out a field', refused, {
	as: 'adam',
	ask: patch('order=%5B1%2C2%5D'),
	answer: badRequest('Invalid order mapping.'),
});
test('an order that is no list', refused, {
	as: 'adam',
	ask: patch('order=1'),
	answer: badRequest('order is not a list'),
});
test('an order of nothing', refused, {as: 'adam', ask: patch(''), answer: missing('order')});
test('a member who would order profile fields', refused, {
	ask: patch('order=%5B%5D'),
	answer: {
		status: '400 Bad Request',
		json: {result: 'error', msg: 'Must be an organization administrator', code: 'UNAUTHORIZED_PRINCIPAL'},
	},
});
