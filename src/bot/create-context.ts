// Makes a handler's context of a payload.

import type {Payload} from '../api/index.js';
import {conversationOf} from '../delivery/target.js';
import {createActions, type Effects, openStream, sendHandle} from './actions.js';
import {addReaction} from './blindness.js';
import {type Choice, widgetOf} from './choices.js';
import type {BotLog, Context, Person} from './context.js';
import type {Conversation} from './conversation.js';
import {expectTarget, expectText} from './expect.js';
import {stripMention} from './mention.js';

export interface ContextOptions<Session, Config> {
	readonly payload: Payload;
	readonly effects: Effects;
	readonly conversation: Conversation<Session>;
	/** What the bot declares. */
	readonly bot: {readonly answers: {has(name: string): boolean}; readonly laters: {has(name: string): boolean}};
	readonly config: Config;
	readonly log: BotLog;
	onStream(end: () => Promise<void>): void;
}

/** How long Bothy waits for an answer, of the sender and of somebody else. */
const ASKED_MINUTES = 10;
const OTHER_ASKED_MINUTES = 24 * 60;

export function createContext<Session, Config>(options: ContextOptions<Session, Config>): Context<Session, Config> {
	const {payload, effects, conversation, bot, log, config, onStream} = options;
	const {message} = payload;
	const text = stripMention(payload.data, {
		fullName: payload.bot_full_name,
		renderedContent: message.rendered_content,
	});
	const here = conversationOf(payload);
	const mention = `@**${payload.bot_full_name}**`;
	const asker = {id: message.sender_id, mention: `@**${message.sender_full_name}|${message.sender_id}**`};
	const actions = createActions({
		effects,
		laters: bot.laters,
		log,
		config,
		email: payload.bot_email,
		mention,
		here,
		onStream,
	});
	const widgetFor = (target: typeof here, heading: string, choices: readonly Choice[] | undefined, method: string) =>
		choices && widgetOf({heading, choices}, {calls: 'dm' in target ? '' : `${mention} `, method});
	const reply = async (said: string, method: string, choices: readonly Choice[] | undefined) => {
		const heading = expectText(said, method);
		return sendHandle(await effects.reply(heading, widgetFor(here, heading, choices, method)), effects, effects.post);
	};

	return {
		message,
		sender: {...asker, email: message.sender_email, name: message.sender_full_name},
		// Servers before feature level 201 say `private_message`.
		trigger: payload.trigger === 'private_message' ? 'direct_message' : payload.trigger,
		text,
		fullText: payload.data,
		here,
		session: conversation.session,
		...actions,
		me: {email: payload.bot_email, name: payload.bot_full_name, mention},
		get api() {
			return effects.api();
		},
		get signal() {
			return effects.signal;
		},
		reply: (said, {choices} = {}) => reply(said, 'reply', choices),
		stream: target =>
			target
				? actions.stream(target)
				: openStream(here, {effects, log, onStream}, async opening => {
						await effects.post();
						return effects.reply(opening);
					}),
		async ask(name, question, {of, in: place, minutes, choices, data} = {}) {
			if (!bot.answers.has(name)) {
				throw new TypeError(`Expected ctx.ask() with the name of an .answer() of this bot, got "${name}"`);
			}

			const person = of === undefined ? message.sender_id : idOf(of);
			if (person === message.sender_id && place === undefined) {
				await reply(question, 'ask', choices);
				const until = effects.now() + (minutes ?? ASKED_MINUTES) * 60_000;
				conversation.expect(person, {kind: 'answer', name, question, until, ...(data !== undefined && {data})});
				return;
			}

			const target = expectTarget(place ?? {dm: [person]});
			const heading = expectText(question, 'ask');
			const widget = widgetFor(target, heading, choices, 'ask');
			// It counts from the message, so that each run of this delivery asks the same.
			const until = message.timestamp * 1000 + (minutes ?? OTHER_ASKED_MINUTES) * 60_000;
			await effects.questions.put(person, target, {
				name,
				question: heading,
				until,
				from: here,
				by: asker,
				...(data !== undefined && {data}),
			});
			await effects.send({target: JSON.stringify(target), text: heading, widget});
		},
		async react(emoji) {
			await addReaction(effects.api(), {messageId: message.id, here, emoji, log});
		},
		async typing() {
			await effects.api().setTypingStatus({
				op: 'start',
				...('dm' in here
					? {type: 'direct', to: here.dm as number[]}
					: {type: 'stream', stream_id: here.channel as number, topic: here.topic}),
			});
		},
	};
}

function idOf(person: Person): number {
	const id = typeof person === 'number' ? person : person?.id;
	if (!Number.isInteger(id)) {
		throw new TypeError('Expected ctx.ask() with `of`: a user ID, or what arg.user() or ctx.sender gives');
	}

	return id;
}
