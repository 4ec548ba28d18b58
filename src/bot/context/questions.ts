// Stores questions of `ctx.ask()` that are put to another person or in another conversation. They are stored with the bot's
// values, because the conversation of the answer has its own session. Taking an answer records its delivery, so a rerun of
// that delivery finds the question again.

import type {Payload} from '../../api/index.js';
import {z} from '../../api/zod.js';
import {conversationOf, Target} from '../../delivery/target.js';
import {encodeJson} from '../../storage/json.js';
import type {Values} from '../../storage/values.js';
import type {Asked} from './context.js';

const Question = z.object({
	v: z.literal(1),
	/** Name of the `.answer()`. */
	name: z.string(),
	question: z.string(),
	/** Milliseconds since 1970. */
	until: z.number(),
	/** Texts that its buttons post. */
	says: z.array(z.string()).optional(),
	data: z.unknown().optional(),
	from: Target,
	by: z.object({id: z.int(), mention: z.string()}),
	/** ID of the delivery that took the answer. */
	takenBy: z.string().optional(),
});
type Question = z.infer<typeof Question>;

/** An open question to the sender of the current message. */
export interface OpenQuestion extends Pick<Question, 'name' | 'question'>, Asked {
	/** Resolves to true for one delivery only, in each of its runs. The question is then closed. */
	take(): Promise<boolean>;
}

export interface QuestionsOptions {
	readonly values: Values;
	/** ID of the delivery. */
	readonly delivery: string;
	now(): number;
}

export type Questions = ReturnType<typeof createQuestions>;

/** Limit for question and data, in bytes of JSON. */
const LARGEST_DATA = 16 * 1024;

export function createQuestions({values, delivery, now}: QuestionsOptions) {
	async function read(key: string): Promise<{text: string; question: Question} | undefined> {
		const text = await values.get(key);
		const question = text === undefined ? undefined : Question.safeParse(JSON.parse(text)).data;
		return text !== undefined && question ? {text, question} : undefined;
	}

	const isOpen = ({until, takenBy}: Question) => until > now() && (takenBy === undefined || takenBy === delivery);

	/** Deletes expired questions. */
	async function prune(): Promise<void> {
		for (const key of await values.keys()) {
			const found = await read(key);
			if (!found || found.question.until <= now()) {
				await values.put(key, undefined);
			}
		}
	}

	const takenKeyOf = ({message}: Payload) => `${message.sender_id} taken ${delivery}`;

	async function take(
		{key, takenKey}: {key: string; takenKey: string},
		{text, question}: {text: string; question: Question},
	): Promise<boolean> {
		const taken = JSON.stringify({...question, takenBy: delivery});
		// One step, so that a rerun finds its question even if a new one has replaced it.
		const put = () => values.put(key, taken, {text, copyTo: takenKey});
		const first = await put();
		if (first !== 'full') {
			return first === 'put';
		}

		await prune();
		const second = await put();
		return (second === 'full' ? await values.put(key, taken, {text}) : second) === 'put';
	}

	return {
		async put(person: number, place: Target, question: Omit<Question, 'v' | 'takenBy'>): Promise<void> {
			const text = encodeJson({v: 1, ...question} satisfies Question, 'Expected ctx.ask()') as string;
			if (Buffer.byteLength(text) > LARGEST_DATA) {
				throw new RangeError(`Expected ctx.ask() with a question and data of at most ${LARGEST_DATA} bytes of JSON`);
			}

			const key = keyOf(person, place);
			// An earlier run of this delivery may have asked already, and the answer may have arrived.
			const earlier = await read(key);
			if (earlier?.question.takenBy !== undefined && isSame(earlier.question, question)) {
				return;
			}

			if ((await values.put(key, text)) === 'full') {
				await prune();
				if ((await values.put(key, text)) === 'full') {
					throw new RangeError('Expected fewer than 10,000 open questions of ctx.ask(), found 10,000');
				}
			}
		},
		/** The open question to the sender of this payload. */
		async find(payload: Payload): Promise<OpenQuestion | undefined> {
			// A rerun answers the question that its earlier run answered, even if a newer one has replaced it.
			const takenKey = takenKeyOf(payload);
			const earlier = await read(takenKey);
			if (earlier) {
				return {...partsOf(earlier.question), take: async () => true};
			}

			for (const key of keysOf(payload)) {
				const found = await read(key);
				if (found && isOpen(found.question)) {
					return {...partsOf(found.question), take: () => take({key, takenKey}, found)};
				}
			}

			return undefined;
		},
		/** Whether this is the text of a button of a question that is answered or expired. */
		async isClosedChoice(payload: Payload, text: string): Promise<boolean> {
			const found = await Promise.all(keysOf(payload).map(read));
			return found.some(entry => entry && !isOpen(entry.question) && entry.question.says?.includes(text) === true);
		},
	};
}

function partsOf({name, question, data, from, by}: Question) {
	return {name, question, data, from, by};
}

function isSame(one: Question, other: Omit<Question, 'v' | 'takenBy'>): boolean {
	return one.name === other.name && one.question === other.question && one.until === other.until;
}

function keyOf(person: number, place: Target): string {
	const where =
		'dm' in place
			? place.dm.map(String).toSorted().join(',')
			: `${String(place.channel).toLowerCase()}>${place.topic.toLowerCase()}`;
	return `${person} ${where}`;
}

/** A channel may be named by its ID or by its name. */
function keysOf(payload: Payload): string[] {
	const {sender_id: sender, display_recipient: name, subject: topic} = payload.message;
	const here = keyOf(sender, conversationOf(payload));
	return Array.isArray(name) ? [here] : [here, keyOf(sender, {channel: name, topic})];
}
