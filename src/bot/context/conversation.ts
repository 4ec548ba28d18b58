// The stored state of one conversation: its session, and open questions.

import {z} from '../../api/zod.js';
import {encodeJson} from '../../storage/json.js';

const Pending = z.discriminatedUnion('kind', [
	z.object({
		/** `ctx.ask()` */
		kind: z.literal('answer'),
		name: z.string(),
		question: z.string(),
		/** Milliseconds since 1970. */
		until: z.number(),
		data: z.unknown().optional(),
	}),
	z.object({
		kind: z.literal('confirm'),
		/** The command and its words. */
		name: z.string(),
		line: z.string(),
		question: z.string(),
		until: z.number(),
		/** When it was written. Words such as `tomorrow` are relative to this time. */
		askedAt: z.number(),
	}),
]);
export type Pending = z.infer<typeof Pending>;

const Stored = z.object({
	v: z.literal(1),
	session: z.unknown().optional(),
	/** The key is the ID of the person who was asked, plus the conversation if the session spans several. */
	pending: z.record(z.string(), Pending),
});

/** Limit for session and questions together, in bytes of JSON. */
const LARGEST_SESSION = 64 * 1024;

export interface Conversation<Session> {
	/** Undefined if the bot declares no session. */
	readonly session: Session;
	/** The open question to a person. */
	pendingOf(person: number): Pending | undefined;
	expect(person: number, pending: Pending): void;
	/** Removes the open question to a person. */
	settle(person: number): void;
	/** JSON text to store. */
	save(): string;
}

export interface ConversationOptions {
	/** The shape of the session, with a default for each field. */
	readonly schema: z.ZodType | undefined;
	/** The stored JSON text. */
	readonly json: string | undefined;
	/** Milliseconds since 1970. */
	readonly now: number;
	/** The conversation of the message, if the session spans several conversations. */
	readonly place?: string | undefined;
	/** The bot's email, for errors. */
	readonly owner: string;
	readonly log: {warn(fields: object, message: string): void};
}

/** If the bot has changed and the stored state no longer fits, starts with a new state. */
export function openConversation<Session>({
	schema,
	json,
	now,
	place,
	log,
	owner,
}: ConversationOptions): Conversation<Session> {
	const stored = json === undefined ? undefined : Stored.safeParse(JSON.parse(json)).data;
	const pending = new Map(Object.entries(stored?.pending ?? {}).filter(([, {until}]) => until > now));
	const nameOf = (person: number) => (place === undefined ? String(person) : `${person} ${place}`);
	const session = recall<Session>(schema, stored?.session, log);
	return {
		session,
		pendingOf: person => pending.get(nameOf(person)),
		expect(person, question) {
			pending.set(nameOf(person), question);
		},
		settle(person) {
			pending.delete(nameOf(person));
		},
		save() {
			const stored = {v: 1, session, pending: Object.fromEntries(pending)} satisfies z.input<typeof Stored>;
			// Never undefined, because `stored` is an object.
			const json = encodeJson(stored, `Expected ctx.session of ${owner}`) as string;
			if (Buffer.byteLength(json) > LARGEST_SESSION) {
				throw new RangeError(
					`Expected ctx.session with at most ${LARGEST_SESSION} bytes of JSON, got ${Buffer.byteLength(json)}; keep more in ctx.storage`,
				);
			}

			return json;
		},
	};
}

function recall<Session>(schema: z.ZodType | undefined, stored: unknown, log: ConversationOptions['log']): Session {
	if (!schema) {
		// Without a session, the type is undefined.
		return undefined as Session;
	}

	const parsed = schema.safeParse(stored ?? {});
	if (!parsed.success) {
		log.warn({}, 'a stored session does not fit its schema any more; starting with a new one');
	}

	// The schema defines the type of the session.
	return (parsed.success ? parsed.data : schema.parse({})) as Session;
}
