// The error codes of the service, and the fields that each adds to its answer (service-facts.md 1.3).

import {z} from '../api/zod.js';

const ERROR_FIELDS = {
	BAD_REQUEST: {parameters: z.union([z.string(), z.array(z.string())]), empty_topic_display_name: z.string()},
	REQUEST_VARIABLE_MISSING: {var_name: z.string()},
	REQUEST_VARIABLE_INVALID: {var_name: z.string(), bad_value: z.unknown()},
	REQUEST_CONFUSING_VAR: {var_name1: z.string(), var_name2: z.string()},
	INVALID_JSON: {},
	UNAUTHORIZED: {},
	INVALID_API_KEY: {},
	UNAUTHENTICATED_USER: {},
	AUTHENTICATION_FAILED: {},
	USER_DEACTIVATED: {},
	REALM_DEACTIVATED: {},
	PASSWORD_AUTH_DISABLED: {},
	PASSWORD_RESET_REQUIRED: {},
	/** The users who cannot be subscribed, by ID or address. Absent if the caller itself may not subscribe. */
	UNAUTHORIZED_PRINCIPAL: {principal: z.union([z.int(), z.string()])},
	NONEXISTENT_SUBDOMAIN: {},
	/** Seconds to wait. May have a fraction. */
	RATE_LIMIT_HIT: {'retry-after': z.number()},
	/** The name if the call named a channel, else the ID. */
	STREAM_DOES_NOT_EXIST: {stream: z.string(), stream_id: z.int()},
	STREAM_WILDCARD_MENTION_NOT_ALLOWED: {},
	TOPIC_WILDCARD_MENTION_NOT_ALLOWED: {},
	BAD_EVENT_QUEUE_ID: {queue_id: z.string()},
	BAD_NARROW: {desc: z.string()},
	REACTION_ALREADY_EXISTS: {},
	REACTION_DOES_NOT_EXIST: {},
	MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: {
		first_message_id_allowed_to_move: z.int(),
		total_messages_in_topic: z.int(),
		total_messages_allowed_to_move: z.int(),
	},
	EXPECTATION_MISMATCH: {field_name: z.string()},
	CANNOT_DEACTIVATE_LAST_USER: {is_last_owner: z.boolean(), entity: z.string()},
	CANNOT_DEACTIVATE_GROUP_IN_USE: {objections: z.array(z.looseObject({}))},
	SYSTEM_GROUP_REQUIRED: {setting_name: z.string()},
	CHANNEL_ALREADY_EXISTS: {channel_name: z.string()},
	INVALID_PUSH_DEVICE_TOKEN: {},
	PUSH_SERVICE_NOT_CONFIGURED: {},
	NO_ACTIVE_PUSH_DEVICE: {},
	FAILED_TO_CONNECT_BOUNCER: {},
	INTERNAL_SERVER_ERROR_ON_BOUNCER: {},
	ADMIN_ACTION_REQUIRED: {},
	BAD_IMAGE: {},
	REALM_UPLOAD_QUOTA: {},
	CSRF_FAILED: {reason: z.string()},
	/** We give this code to answers without one. */
	HTTP_405: {allowed_methods: z.array(z.string())},
	/** Our own code: the server is older than a parameter requires, so we did not call it. The fields are feature levels. */
	UNSUPPORTED_BY_SERVER: {needs: z.int(), found: z.int()},
} as const satisfies Record<string, Record<string, z.ZodType>>;

type Table = typeof ERROR_FIELDS;
export type ErrorCode = keyof Table;

/** The fields that a code may have. Each may be missing. Read the fields of other codes with `Object.entries`. */
export type FieldsOf<Code extends string> = Code extends ErrorCode
	? {
			readonly [Field in keyof Table[Code]]?: Table[Code][Field] extends z.ZodType
				? z.output<Table[Code][Field]>
				: never;
		}
	: object;

/** The fields, without those that do not fit the table. Unknown fields pass. */
export function readFields(code: string, fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
	const known: Record<string, z.ZodType> = Object.hasOwn(ERROR_FIELDS, code) ? ERROR_FIELDS[code as ErrorCode] : {};
	const isSound = ([name, value]: [string, unknown]) =>
		!Object.hasOwn(known, name) || known[name]?.safeParse(value).success;
	return Object.fromEntries(Object.entries(fields).filter(isSound));
}
