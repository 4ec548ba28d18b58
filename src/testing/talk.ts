// People of the demo organization talk to a bot. The bot may run in this process or in a whole host.

import {AssertionError} from 'node:assert';
import {readDuration} from '../bot/arguments/moment.js';
import {emojiName} from '../bot/context/blindness.js';
import type {Client} from '../client/client.js';
import type {BotAccount, OpenRealm} from '../realm/index.js';
import {findMessage, maxMessageId, messagesBy} from '../realm/messages/rows.js';
import {findAccountByEmail} from '../realm/people/accounts.js';
import {findButton} from './buttons.js';
import {createFindings, type FindingsOptions} from './findings.js';
import {PEOPLE, type Person, type PersonName, readPlace} from './person.js';
import {buttonsOf, type SentMessage, sentBy, whereOf} from './realm-queries.js';
import type {TestBot} from './test-bot-types.js';

export interface TalkOptions {
	readonly realm: OpenRealm;
	readonly account: BotAccount;
	/** The bot's full name, for mentions. */
	readonly name: string;
	readonly host: FindingsOptions['host'];
	clientOf(email: string): Client;
	/** Holds the messages that people are sending. */
	readonly speaking: Set<Promise<unknown>>;
	/** Resolves when nothing is running. */
	idle(): Promise<void>;
	/** Moves the clock to a time, in milliseconds since 1970. */
	waitUntil(end: number): Promise<void>;
	/** Throws if an error has been reported. */
	check(): void;
}

export type Talk = Omit<TestBot, 'redeliver' | 'fault' | 'http' | 'close'>;

export function createTalk(options: TalkOptions) {
	const {realm, account, name, clientOf, speaking} = options;
	const {services} = realm;
	const {userId: botId} = account;
	const now = () => services.clock.now();
	/** The newest message when a person last wrote, or when the last wait began. */
	let mark = maxMessageId(services.store);
	const begunAt = mark;
	const findings = createFindings({realm: services, host: options.host, botId, begunAt});

	/** Acts; resolves when everything that follows from it is done. */
	async function follow<Result>(act: () => Promise<Result>): Promise<Result> {
		mark = maxMessageId(services.store);
		const result = await act();
		await options.idle();
		await look();
		return result;
	}

	async function look(): Promise<void> {
		await findings.refreshAll();
		options.check();
	}

	async function waitUntil(end: number): Promise<SentMessage[]> {
		mark = maxMessageId(services.store);
		const before = mark;
		await options.waitUntil(end);
		await look();
		return sentBy(services, botId, before);
	}

	async function say(person: PersonName, where: string, text: string): Promise<string[]> {
		const place = readPlace(where);
		const to = 'people' in place ? place.people.map(emailOf) : [];
		const id = await follow(async () => {
			const sending = clientOf(emailOf(person)).sendMessage(
				'people' in place
					? {type: 'direct', to: [...new Set([...to, account.email])], content: text}
					: {type: 'channel', to: place.channel, topic: place.topic, content: text},
			);
			const spoken = sending.catch(() => {}).finally(() => speaking.delete(spoken));
			speaking.add(spoken);
			return (await sending).id;
		});
		const asked = findMessage(services.store, id);
		const there = asked && whereOf(services, botId, asked);
		return sentBy(services, botId, id)
			.filter(message => message.where === there)
			.map(message => message.text);
	}

	/** Does something that is no message; gives what the bot said then. */
	async function meanwhile(act: () => Promise<unknown>): Promise<SentMessage[]> {
		const before = maxMessageId(services.store);
		await follow(act);
		return sentBy(services, botId, before);
	}

	function createPerson(person: PersonName): Person {
		const email = emailOf(person);
		const found = findAccountByEmail(services.store, email);
		if (!found) {
			throw new Error(`Expected ${email} in the demo organization, found nobody`);
		}

		const {id, full_name: fullName} = found;
		return {
			id,
			name: fullName,
			email,
			mention: `@**${fullName}|${id}**`,
			get api() {
				return clientOf(email);
			},
			dm: text => say(person, `@${person}`, text),
			says: (where, text) => say(person, where, text),
			reacts: (message, emoji) =>
				meanwhile(() => clientOf(email).addReaction({message_id: message.id, emoji_name: emojiName(emoji)})),
			get latest() {
				const {id: messageId, content: text} = messagesBy(services.store, id, 0).at(-1) ?? {id: 0, content: ''};
				return {id: messageId, text};
			},
			edits: (message, text) => meanwhile(() => clientOf(email).updateMessage({message_id: message.id, content: text})),
			async joins(channel) {
				await follow(() => clientOf(email).unsubscribe({subscriptions: [channel]}));
				return meanwhile(() => clientOf(email).subscribe({subscriptions: [{name: channel}]}));
			},
			async presses(label) {
				const buttons = sentBy(services, botId, begunAt).flatMap(({id, where}) =>
					buttonsOf(services, id).map(button => ({...button, where})),
				);
				const {where, says} = findButton(buttons, person, label);
				return say(person, where, says);
			},
		};
	}

	const talk: Talk = {
		...(Object.fromEntries(PEOPLE.map(person => [person, createPerson(person)])) as Record<PersonName, Person>),
		bot: {id: botId, email: account.email, name, mention: `@**${name}**`},
		get now() {
			return new Date(now());
		},
		get sent() {
			findings.refresh();
			return findings.sent;
		},
		get drafts() {
			findings.refresh();
			return findings.drafts;
		},
		get reactions() {
			findings.refresh();
			return findings.reactions;
		},
		scheduled: findings.scheduled,
		failed: findings.failed,
		wait: async duration => waitUntil(now() + readWait(duration)),
		waitUntil: async time => waitUntil(readTime(time)),
		expectSilence() {
			const said = sentBy(services, botId, mark).map(({where, text}) => `${where}: ${text}`);
			if (said.length > 0) {
				const message = `Expected the bot to be silent, but it said\n\n${said.join('\n')}`;
				throw new AssertionError({message, actual: said, expected: [], operator: 'expectSilence'});
			}
		},
	};
	return {talk, follow};
}

export function emailOf(person: string): string {
	return `${person}@bothy.example`;
}

export function readTime(time: Date | string | number): number {
	const ms = new Date(time).getTime();
	if (Number.isNaN(ms)) {
		throw new TypeError(`Expected a time such as "2026-11-23T09:00:00Z", got "${time}"`);
	}

	return ms;
}

function readWait(duration: string | number): number {
	const read = typeof duration === 'number' ? undefined : readDuration(duration);
	const ms = read && read.length === String(duration).length ? read.value : duration;
	if (typeof ms !== 'number' || !Number.isFinite(ms)) {
		throw new TypeError(`Expected a duration such as "2 hours" or a number of milliseconds, got "${duration}"`);
	}

	return ms;
}
