// What a bot remembers of one conversation: its session, and the questions that wait for an answer.

import {z} from 'zod';
import {encodeJson} from '../storage/json.js';

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
		/** The command, and the words behind it. */
		name: z.string(),
		line: z.string(),
		question: z.string(),
		until: z.number(),
		/** When it was written: words such as `tomorrow` mean what they meant then. */
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

/** Bytes of a conversation's session and questions as JSON. */
const LARGEST_SESSION = 64 * 1024;

export interface Conversation<Session> {
	/** What the bot keeps there; undefined for a bot that declares no session. */
	readonly session: Session;
	/** The question that waits for somebody's answer. */
	pendingOf(person: number): Pending | undefined;
	expect(person: number, pending: Pending): void;
	/** Nothing is expected of them any more. */
	settle(person: number): void;
	/** JSON text to keep. */
	save(): string;
}

export interface ConversationOptions {
	/** The shape of the session, with a default for each field. */
	readonly schema: z.ZodType | undefined;
	/** JSON text that was kept. */
	readonly json: string | undefined;
	/** Milliseconds since 1970. */
	readonly now: number;
	/** The conversation of the message, where the session may be that of several. */
	readonly place?: string | undefined;
	/** The bot, as errors name it. */
	readonly owner: string;
	readonly log: {warn(fields: object, message: string): void};
}

/** What does not fit any more, after a change of the bot, is forgotten, not an error. */
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
			// It is an object.
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
		// A bot without a session has none to look at.
		return undefined as Session;
	}

	const parsed = schema.safeParse(stored ?? {});
	if (!parsed.success) {
		log.warn({}, 'a stored session does not fit its schema any more; starting with a new one');
	}

	// The type of the session is that of its schema.
	return (parsed.success ? parsed.data : schema.parse({})) as Session;
}
