// How operations are described, and what their result schemas accept.

import test from 'ava';
import fc from 'fast-check';
import {type Operation, operations} from '../../src/api/index.js';
import {callersOf, remarksOf, typeOf} from '../../src/api/reference.js';
import {z} from '../../src/api/zod.js';
import {arbitraryOf} from './arbitrary.js';

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

// Servers of other levels leave fields out and send new ones. Only what a caller cannot do without may be required.

/** The fields that every server sends and that the host, or anybody who makes the call, needs. */
const NEEDED = new Set(
	`id message messages type sender_id sender_email sender_full_name content display_recipient email full_name subject
	text url timestamp emoji emoji_name emoji_code reaction_type source_url user user_id user_ids members role is_active
	is_bot value message_history topic topics max_id rendered processed_count updated_count first_processed_id
	last_processed_id match_content match_subject attachments name path_id linkifiers pattern url_template saved_snippets
	title saved_snippet_id scheduled_message_id scheduled_messages to scheduled_delivery_timestamp invites invite_link
	user_groups direct_subgroup_ids direct_members direct_subgroups is_user_group_member subgroups custom_fields streams
	stream stream_id invite_only history_public_to_subscribers bot_email bot_full_name data trigger token subscribers
	subscriptions is_subscribed subscribed already_subscribed removed not_removed queue_id last_event_id status topic_name
	visibility_policy events drafts ids bots username api_key presence presences direct_admins direct_users alert_words
	storage`.split(/\s+/),
);

/** The value as another server sends it: without what is not needed, and with a field that nobody knows yet. */
function fromAnotherServer(value: unknown, isMap = false): unknown {
	if (Array.isArray(value)) {
		return value.map(each => fromAnotherServer(each));
	}

	if (typeof value !== 'object' || value === null) {
		return value;
	}

	const kept = Object.entries(value).filter(([name]) => isMap || NEEDED.has(name));
	const fields = kept.map(([name, field]) => [name, fromAnotherServer(field, MAPS.has(name))]);
	return {...Object.fromEntries(fields), ...(!isMap && {field_of_a_later_level: {a: [1]}})};
}

/** Their keys are values: IDs, names and addresses. */
const MAPS = new Set(['emoji', 'messages', 'subscribed', 'already_subscribed', 'storage', 'presences', 'presence']);

for (const {name, result} of Object.values<Operation>(operations)) {
	test(`the result of ${name} needs no field that some server leaves out`, t => {
		fc.assert(
			fc.property(arbitraryOf(result), value => {
				const parsed = result.safeParse(fromAnotherServer(value));
				t.deepEqual(parsed.error?.issues ?? [], []);
			}),
			{numRuns: 10, seed: 1},
		);
	});
}

test('a result that needs another field is found', t => {
	t.false(operations.getStreams.result.safeParse(fromAnotherServer({streams: [{stream_id: 1}]})).success);
});
