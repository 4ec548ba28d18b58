// Makes a handler's context of a payload.

import type {Payload} from '../api/index.js';
import {createActions, type Effects} from './actions.js';
import {addReaction} from './blindness.js';
import {type Choice, widgetOf} from './choices.js';
import type {BotLog, Context} from './context.js';
import type {Conversation} from './conversation.js';
import {expectText} from './expect.js';
import {stripMention} from './mention.js';
import {conversationOf} from './target-of.js';

export interface ContextOptions<Session, Config> {
	readonly payload: Payload;
	readonly effects: Effects;
	readonly conversation: Conversation<Session>;
	/** Names of the questions whose answers the bot takes. */
	readonly answers: {has(name: string): boolean};
	readonly config: Config;
	readonly log: BotLog;
	readonly signal: AbortSignal;
}

/** How long an answer is waited for. */
const ASKED_MINUTES = 10;

export function createContext<Session, Config>(options: ContextOptions<Session, Config>): Context<Session, Config> {
	const {payload, effects, conversation, log, config} = options;
	const {message} = payload;
	const text = stripMention(payload.data, {
		fullName: payload.bot_full_name,
		renderedContent: message.rendered_content,
	});
	const here = conversationOf(payload);
	const actions = createActions({effects, log, config});
	const reply = async (said: string, method: string, choices: readonly Choice[] | undefined) => {
		const heading = expectText(said, method);
		const mention = `@**${payload.bot_full_name}**`;
		await effects.reply(heading, choices && widgetOf({heading, choices}, {message, mention}));
	};

	return {
		message,
		sender: {
			id: message.sender_id,
			email: message.sender_email,
			name: message.sender_full_name,
			mention: `@**${message.sender_full_name}|${message.sender_id}**`,
		},
		// Servers before feature level 201 say `private_message`.
		trigger: payload.trigger === 'private_message' ? 'direct_message' : payload.trigger,
		text,
		fullText: payload.data,
		here,
		session: conversation.session,
		...actions,
		get api() {
			return effects.api();
		},
		get signal() {
			return options.signal;
		},
		reply: (said, {choices} = {}) => reply(said, 'reply', choices),
		async ask(name, question, {minutes = ASKED_MINUTES, choices} = {}) {
			if (!options.answers.has(name)) {
				throw new TypeError(`Expected ctx.ask() with the name of an .answer() of this bot, got "${name}"`);
			}

			await reply(question, 'ask', choices);
			const until = effects.now() + minutes * 60_000;
			conversation.expect(message.sender_id, {kind: 'answer', name, question, until});
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
