// How operations are described, and what their result schemas accept.

import test from 'ava';
import {type Operation, operations} from '../../src/api/index.js';
import {callersOf, remarksOf, typeOf} from '../../src/api/reference.js';
import {z} from '../../src/api/zod.js';

test('callersOf names who may call an operation, and from which level', t => {
	t.is(callersOf(operations.getStreams), 'people and bots.');
	t.is(callersOf(operations.createChannel), 'members, no guests. Since level 417.');
	t.is(callersOf(operations.getUserGroupMembers), 'members, no guests; bots since level 496. Since level 127.');
});

test('the notes of a parameter name its default, its levels and its old names', t => {
	const {getUserGroups, sendMessage, setTypingStatus} = operations;

	t.is(
		remarksOf(getUserGroups.parameters.include_deactivated_groups),
		'optional; default false; since level 290; named allow_deactivated below level 294',
	);
	t.is(remarksOf(sendMessage.parameters.topic), 'optional; old name: subject');
	t.is(remarksOf(sendMessage.parameters.type), 'required; "channel" since level 248');
	t.is(remarksOf(setTypingStatus.parameters.type), 'optional; default "direct"; "channel" since level 248');
});

test('a type names the fields of an object, but not of one within it', t => {
	const {createDrafts, deactivateUser, getMessages, updateStream, updateSubscriptionSettings} = operations;

	t.is(
		typeOf(deactivateUser.parameters.actions.schema),
		'{delete_profile?: boolean, delete_public_channel_messages?: boolean, ' +
			'delete_private_channel_messages?: boolean, delete_direct_messages?: boolean}',
	);
	t.is(
		typeOf(createDrafts.parameters.drafts.schema),
		'array of ({type: "" or "stream" or "private", to: array of integer, topic: string, content: string, timestamp?: integer or number or null})',
	);
	t.is(
		typeOf(updateStream.parameters.can_send_message_group.schema),
		'{new: integer or object, old?: integer or object}',
	);
	t.is(
		typeOf(getMessages.parameters.narrow.schema),
		'array of ({operator: string, operand: string or integer or array of integer, negated?: boolean} or [string, string]) or null',
	);
	t.is(
		typeOf(updateSubscriptionSettings.parameters.subscription_data.schema),
		'array of ({stream_id: integer, property: string, value: boolean or string})',
	);
});

interface JsonSchema {
	readonly const?: unknown;
	readonly enum?: unknown;
	readonly additionalProperties?: unknown;
	readonly [key: string]: unknown;
}

/** Places in a schema that take certain values, or certain fields, only. */
function closedPlaces(schema: unknown, place: string): string[] {
	if (typeof schema !== 'object' || schema === null) {
		return [];
	}

	// JSON Schema as zod writes it.
	const {const: value, enum: values, additionalProperties} = schema as JsonSchema;
	const isClosed = value !== undefined || values !== undefined || additionalProperties === false;
	return [
		...(isClosed ? [place] : []),
		...Object.entries(schema).flatMap(([key, inner]) => closedPlaces(inner, `${place}.${key}`)),
	];
}

for (const {name, result} of Object.values<Operation>(operations)) {
	test(`the result of ${name} takes values and fields that are new to us`, t => {
		const schema = z.toJSONSchema(result, {io: 'input', unrepresentable: 'any'});

		t.deepEqual(closedPlaces(schema, name), []);
	});
}

test('a closed port is found', t => {
	const schema = z.toJSONSchema(z.looseObject({a: z.array(z.enum(['x']))}), {io: 'input'});

	t.deepEqual(closedPlaces(schema, 'x'), ['x.properties.a.items']);
});
