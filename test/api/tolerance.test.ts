// Servers of other levels leave fields out and send new ones. Only what a caller cannot do without may be required.

import test from 'ava';
import fc from 'fast-check';
import {type Operation, operations} from '../../src/api/index.js';
import {arbitraryOf} from './arbitrary.js';

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
