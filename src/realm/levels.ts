// Removes from answers, events and parameters what an older feature level does not have (spec.md, "Versioning").

import {Channel} from '../api/channels.js';
import {type Operation, operations} from '../api/index.js';
import {Message} from '../api/messages/messages.js';
import {ScheduledMessage} from '../api/messages/scheduled-messages.js';
import {ProfileField} from '../api/people/profile-fields.js';
import {UserGroup} from '../api/people/user-groups.js';
import {User} from '../api/people/users.js';
import {Subscription} from '../api/subscriptions.js';
import {z} from '../api/zod.js';
import {badRequest, RealmError} from './errors.js';
import {badNarrow, type NarrowTerm} from './messages/narrow/narrow-terms.js';

/** The level at which each field came. Fields that are not listed are older than all levels that the realm supports. */
type Since = Readonly<Record<string, number>>;

const channel: Since = {
	stream_weekly_traffic: 199,
	creator_id: 254,
	is_archived: 315,
	is_recently_active: 323,
	can_administer_channel_group: 325,
	can_send_message_group: 333,
	can_add_subscribers_group: 342,
	can_subscribe_group: 357,
	folder_id: 389,
	topics_policy: 392,
	subscriber_count: 394,
	can_move_messages_out_of_channel_group: 396,
	can_move_messages_within_channel_group: 396,
	can_resolve_topics_group: 402,
	can_delete_any_message_group: 407,
	can_delete_own_message_group: 407,
	can_create_topic_group: 441,
};

const user: Since = {is_imported_stub: 433, is_deleted: 490};

const sinceOf = new Map<z.ZodType, Since>([
	[User, user],
	[operations.getOwnUser.result, user],
	[Channel, channel],
	[Subscription, channel],
	[
		UserGroup,
		{
			can_mention_group: 191,
			can_manage_group: 283,
			deactivated: 290,
			date_created: 295,
			creator_id: 295,
			can_join_group: 301,
			can_add_members_group: 305,
			can_leave_group: 308,
			can_remove_members_group: 324,
		},
	],
	[Message, {last_moved_timestamp: 365}],
	[ProfileField, {display_in_profile_summary: 146, required: 244, editable_by_user: 296}],
	[ScheduledMessage, {failed: 181}],
	[operations.updatePresence.result, {presence_last_update_id: 263}],
	[operations.fetchApiKey.result, {user_id: 171}],
	[operations.getServerSettings.result, {realm_url: 257}],
	[
		operations.register.result,
		{
			scheduled_messages: 179,
			server_typing_started_wait_period_milliseconds: 204,
			server_typing_stopped_wait_period_milliseconds: 204,
			server_typing_started_expiry_period_milliseconds: 204,
			realm_url: 257,
			presence_last_update_id: 263,
			realm_empty_topic_display_name: 334,
		},
	],
	[
		operations.register.parameters.client_capabilities.schema,
		{
			include_deactivated_groups: 294,
			archived_channels: 315,
			empty_topic_name: 334,
			simplified_presence_events: 419,
			individual_emoji_changes: 491,
		},
	],
]);

/** Where state and events contain such objects. */
const Carrier = z.looseObject({
	message: Message,
	streams: z.array(Channel),
	subscriptions: z.array(Subscription),
	unsubscribed: z.array(Subscription),
	never_subscribed: z.array(Channel),
	realm_users: z.array(User),
	realm_non_active_users: z.array(User),
	cross_realm_bots: z.array(User),
	person: User,
	realm_user_groups: z.array(UserGroup),
	group: UserGroup,
	data: UserGroup,
	scheduled_message: ScheduledMessage,
	scheduled_messages: z.array(ScheduledMessage),
	custom_profile_fields: z.array(ProfileField),
	fields: z.array(ProfileField),
});

const flagsSince: Since = {stream_wildcard_mentioned: 224, topic_wildcard_mentioned: 224};

const eventTypesSince: Since = {scheduled_messages: 179};

/** From this level on, nothing is removed. */
const newest = Math.max(...[...sinceOf.values(), flagsSince, eventTypesSince].flatMap(since => Object.values(since)));

/** Before this level, such a refusal had the general code. */
const codesSince: Since = {
	MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: 172,
	REACTION_ALREADY_EXISTS: 193,
	REACTION_DOES_NOT_EXIST: 193,
	STREAM_WILDCARD_MENTION_NOT_ALLOWED: 229,
	TOPIC_WILDCARD_MENTION_NOT_ALLOWED: 229,
};

/** The last level of each release, except the newest. */
const releases: ReadonlyArray<readonly [last: number, version: string]> = [
	[157, '6.0'],
	[187, '7.0'],
	[240, '8.0'],
	[281, '9.0'],
	[376, '10.0'],
	[424, '11.0'],
];

/** The release that has the level, or the next one. */
export function versionAt(level: number): string {
	return releases.find(([last]) => level <= last)?.[1] ?? '12.0';
}

/** An error as a server of this level words it. */
export function refusalAt(error: unknown, level: number): unknown {
	return error instanceof RealmError && !isKnown(codesSince, error.code, level) ? badRequest(error.message) : error;
}

const operatorsSince: Since = {channel: 250, channels: 250, with: 271, mentions: 446};

const statesSince: Since = {muted: 366};

/** Throws if a narrow uses an operator, a name or a state that is newer than the level. */
export function checkOperators(terms: readonly NarrowTerm[], level: number): void {
	for (const {operator, operand} of terms) {
		if (!isKnown(operatorsSince, operator, level)) {
			throw badNarrow(`unknown operator ${operator}`);
		}

		if (operator === 'is' && !isKnown(statesSince, String(operand), level)) {
			throw badNarrow(`unknown 'is' operand ${operand}`);
		}
	}
}

/** The trigger of a webhook in the words of the level. */
export function triggerAt(trigger: 'mention' | 'direct_message', level: number): string {
	return trigger === 'direct_message' && level < 201 ? 'private_message' : trigger;
}

export function knowsEventType(type: string, level: number): boolean {
	return isKnown(eventTypesSince, type, level);
}

/** An answer as a server of this level gives it. */
export function answerAt<Answer extends object>({name, result}: Operation, answer: Answer, level: number): Answer {
	const known = valueAt(result, answer, level);
	return name === 'register' ? valueAt(Carrier, known, level) : known;
}

/** An event as a server of this level sends it. */
export function eventAt<Event extends object>(event: Event, level: number): Event {
	return valueAt(Carrier, event, level);
}

/** A value without the fields that came after the level. */
export function valueAt<Value>(schema: z.ZodType, value: Value, level: number): Value {
	// Only fields are removed, and only optional ones, so the type stays true.
	return level >= newest ? value : (visit(schema, value, level) as Value);
}

/** The parts of a schema's definition that are used here. */
interface Definition {
	readonly element?: z.ZodType;
	readonly innerType?: z.ZodType;
	readonly shape?: Readonly<Record<string, z.ZodType>>;
}

function visit(schema: z.ZodType, value: unknown, level: number): unknown {
	const {element, innerType, shape} = schema.def as Definition;
	if (innerType) {
		return visit(innerType, value, level);
	}

	if (Array.isArray(value)) {
		return element ? value.map(each => visit(element, each, level)) : value;
	}

	if (!shape || typeof value !== 'object' || value === null) {
		return value;
	}

	const since = sinceOf.get(schema) ?? {};
	const entries = Object.entries(schema === Message ? messageAt(value, level) : value).filter(([key]) =>
		isKnown(since, key, level),
	);
	return Object.fromEntries(entries.map(([key, each]) => [key, fieldAt(shape[key], key, each, level)]));
}

const FIRST_LEVEL_WITH_MOVES_APART = 365;

/** Before this level, a move also counted as an edit. */
function messageAt(message: object, level: number): object {
	const [latest] = 'edit_history' in message ? (message.edit_history as readonly {timestamp: number}[]) : [];
	return latest && level < FIRST_LEVEL_WITH_MOVES_APART ? {...message, last_edit_timestamp: latest.timestamp} : message;
}

function fieldAt(schema: z.ZodType | undefined, key: string, value: unknown, level: number): unknown {
	if (key === 'flags' && Array.isArray(value)) {
		return value.filter(flag => isKnown(flagsSince, String(flag), level));
	}

	return schema ? visit(schema, value, level) : value;
}

function isKnown(since: Since, name: string, level: number): boolean {
	return (Object.hasOwn(since, name) ? (since[name] ?? 0) : 0) <= level;
}
