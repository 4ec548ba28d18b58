// Creates the `ctx` of a handler from a payload.

import type {Payload} from '../../api/index.js';
import type {Client} from '../../client/client.js';
import {findByEmail} from '../../client/directory.js';
import {conversationOf, type Target} from '../../delivery/target.js';
import {expectTarget, expectText} from '../arguments/expect.js';
import {stripMention} from '../mention.js';
import {createActions, openStream, sendHandle} from './actions.js';
import {addReaction} from './blindness.js';
import {type Choice, widgetOf} from './choices.js';
import type {AskOptions, Context, Person, ReplyOptions} from './context.js';
import type {Conversation} from './conversation.js';
import type {Scope} from './scope.js';
import {showTyping} from './typing.js';

/** Time limits for the answer of the sender and of another person. */
const ASKED_MINUTES = 10;
const OTHER_ASKED_MINUTES = 24 * 60;

export function createContext<Session, Config>(
	scope: Scope<Config>,
	{payload, conversation}: {payload: Payload; conversation: Conversation<Session>},
): Context<Session, Config> {
	const {run, log} = scope;
	const {message} = payload;
	const text = stripMention(payload.data, {
		fullName: payload.bot_full_name,
		renderedContent: message.rendered_content,
	});
	const here = conversationOf(payload);
	const mention = `@**${payload.bot_full_name}**`;
	const asker = {id: message.sender_id, mention: `@**${message.sender_full_name}|${message.sender_id}**`};
	const widgetFor = (target: typeof here, heading: string, choices: readonly Choice[] | undefined, method: string) =>
		choices && widgetOf({heading, choices}, {calls: 'dm' in target ? '' : `${mention} `, method});
	const reply = async (said: string, method: string, choices: readonly Choice[] | undefined) => {
		const heading = expectText(said, method);
		return sendHandle(await run.say.reply(heading, widgetFor(here, heading, choices, method)), scope, run.say.post);
	};

	const more = {
		message,
		sender: {email: message.sender_email, name: message.sender_full_name, ...asker},
		// Servers before feature level 201 say `private_message`.
		trigger: payload.trigger === 'private_message' ? 'direct_message' : payload.trigger,
		text,
		fullText: payload.data,
		here,
		session: conversation.session,
		me: {email: payload.bot_email, name: payload.bot_full_name, mention},
		reply: (said: string, {choices}: ReplyOptions = {}) => reply(said, 'reply', choices),
		stream: (target?: Target) =>
			target
				? openStream(expectTarget(target), scope, text => run.say.send({target: JSON.stringify(target), text}))
				: openStream(here, scope, async opening => {
						await run.say.post();
						return run.say.reply(opening);
					}),
		async ask(name: string, question: string, {of, in: place, minutes, choices, data}: AskOptions = {}) {
			if (!scope.bot.answers.has(name)) {
				throw new TypeError(`Expected ctx.ask() with the name of an .answer() of this bot, got "${name}"`);
			}

			const person = of === undefined ? message.sender_id : await idOf(of, () => scope.api());
			if (person === message.sender_id && place === undefined) {
				const handle = await reply(question, 'ask', choices);
				const until = scope.now() + (minutes ?? ASKED_MINUTES) * 60_000;
				conversation.expect(person, {kind: 'answer', name, question, until, ...(data !== undefined && {data})});
				return handle;
			}

			const target = expectTarget(place ?? {dm: [person]});
			const heading = expectText(question, 'ask');
			const widget = widgetFor(target, heading, choices, 'ask');
			// Relative to the message, so that a rerun stores the same question.
			const until = message.timestamp * 1000 + (minutes ?? OTHER_ASKED_MINUTES) * 60_000;
			await scope.questions.put(person, target, {
				name,
				question: heading,
				until,
				from: here,
				by: asker,
				...(choices && {says: choices.map(choice => (typeof choice === 'string' ? choice : choice.says))}),
				...(data !== undefined && {data}),
			});
			return sendHandle(await run.say.send({target: JSON.stringify(target), text: heading, widget}), scope);
		},
		async react(emoji: string) {
			await addReaction(scope.api(), {messageId: message.id, here, emoji, log});
		},
		async typing() {
			await showTyping(scope.api(), here);
		},
	};
	return createActions(scope, more, {mention, here});
}

async function idOf(person: Person, api: () => Client): Promise<number> {
	const id =
		typeof person === 'number' ? person : typeof person === 'string' ? await idOfEmail(person, api()) : person?.id;
	if (!Number.isInteger(id)) {
		throw new TypeError(
			'Expected a person in `of` of ctx.ask(): a user ID, an email address, or the value of arg.user() or ctx.sender',
		);
	}

	return id;
}

async function idOfEmail(email: string, client: Client): Promise<number> {
	const {members} = await client.getUsers();
	const found = findByEmail(members, email);
	if (!found) {
		throw new TypeError('Expected the email address of a person in `of` of ctx.ask(), found nobody with this address');
	}

	return found.user_id;
}
