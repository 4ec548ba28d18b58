// What a bot does, told to its host.

import {setTimeout as sleep} from 'node:timers/promises';
import type {Client} from '../client/client.js';
import {linkTo} from '../client/download.js';
import type {FetchOptions} from '../client/fetch.js';
import type {Outbound} from '../delivery/run.js';
import {Target} from '../delivery/target.js';
import type {Planned} from '../delivery/work.js';
import {checkCron} from '../queue/cron.js';
import type {AccountSchedules} from '../schedules/schedules.js';
import {encodeJson} from '../storage/json.js';
import type {Values} from '../storage/values.js';
import {changeOwn, emojiName} from './blindness.js';
import {type Choice, widgetOf} from './choices.js';
import type {Actions, BotLog, ScheduleHandle, SendHandle, TextStream} from './context.js';
import type {Drafts} from './drafts.js';
import {expectFuture, expectKey, expectTarget, expectText} from './expect.js';
import {SendError} from './failure.js';
import {mayExist} from './known-channels.js';
import {sayDuration} from './moment.js';
import type {Questions} from './questions.js';
import {quote} from './quote.js';
import {createStorage} from './storage.js';
import {createStream} from './stream.js';

/** What the host does for a bot. Targets are JSON text, times milliseconds since 1970. */
export interface Effects extends Omit<Outbound, 'failed'> {
	readonly schedules: AccountSchedules;
	readonly values: Values;
	readonly questions: Questions;
	/** Speaks as the account. Throws where it has no API key. */
	api(): Client;
	drafts(account: string): Drafts;
	/** The message that a send became. */
	sent(id: string): Promise<number>;
	now(): number;
	/** Calls another HTTP API. */
	fetch(url: string | URL, options: FetchOptions): Promise<Response>;
	/** Whether the account can read back what it posts there. */
	sees(target: Target): Promise<'sees' | 'blind' | 'unsure'>;
	/** Whether an earlier run of this delivery may have done things. */
	readonly isRerun: boolean;
	readonly signal: AbortSignal;
}

export interface ActionsOptions<Config> {
	readonly effects: Effects;
	/** Names of the handlers that run later. */
	readonly laters: {has(name: string): boolean};
	readonly log: BotLog;
	readonly config: Config;
	/** The account's address. */
	readonly email: string;
	/** Markdown that mentions the bot, where that is known. */
	readonly mention?: string;
	/** The conversation of the message; undefined where there is none. */
	readonly here?: Target;
	/** Is given what ends a stream. */
	onStream(end: () => Promise<void>): void;
}

/** All but `api`, of which a bot may have none, and `signal`, which is made when somebody first looks. */
export function createActions<Config>(options: ActionsOptions<Config>): Omit<Actions<Config>, 'signal' | 'api'> {
	const {effects, log, config, email} = options;
	const scheduled = (id: string): ScheduleHandle => ({
		id,
		cancel: () => effects.schedules.cancel(id),
		reschedule: when =>
			effects.schedules.reschedule(id, expectFuture(when, {method: 'reschedule', now: effects.now()})),
	});
	/** What was planned under a key takes the place of whatever had it. */
	const keyed = async (id: string, kind: 'once' | 'cron', key: string | undefined) => {
		if (key !== undefined) {
			await effects.schedules.replace(id, kind);
		}

		return scheduled(id);
	};
	const message = async (
		said: {target: unknown; text: unknown; choices: readonly Choice[] | undefined},
		method: string,
	) => {
		const {target, text} = expectMessage(said, method);
		const widget = said.choices && (await buttons(text, said.choices, {target, method}));
		return {target: JSON.stringify(target), text, widget};
	};
	const buttons = async (
		heading: string,
		choices: readonly Choice[],
		{target, method}: {target: Target; method: string},
	) => {
		const calls = 'dm' in target ? '' : `${options.mention ?? `@**${await nameOf(effects.api())}**`} `;
		return widgetOf({heading, choices}, {calls, method});
	};

	return {
		config,
		log,
		me: {email},
		storage: createStorage(effects.values, email),
		async send(target, text, {choices} = {}) {
			const said = await message({target, text, choices}, 'send');
			await expectPlace(target, effects);
			return sendHandle(await effects.send(said), effects);
		},
		async schedule(when, target, text, {key, via, choices} = {}) {
			const name = key === undefined ? undefined : expectKey(key, 'schedule');
			const said = {...(await message({target, text, choices}, 'schedule')), name};
			if (when instanceof Date) {
				if (via !== undefined && choices) {
					throw new TypeError(
						"Expected ctx.schedule() without choices where `via: 'service'` is given: it keeps no buttons",
					);
				}

				const dueAt = expectFuture(when, {method: 'schedule', now: effects.now()});
				return keyed(await effects.schedule({...said, dueAt, via}), 'once', key);
			}

			if (via !== undefined) {
				throw new TypeError("Expected ctx.schedule() with a Date, since `via: 'service'` is set, got a cron pattern");
			}

			return keyed(await effects.repeat({...said, cron: checkCron(when)}), 'cron', key);
		},
		async later(when, name, data, {key} = {}) {
			if (!options.laters.has(name)) {
				throw new TypeError(`Expected ctx.later() with the name of a .later() of this bot, got "${name}"`);
			}

			const planned = {name, data, ...(options.here && {from: options.here})} satisfies Planned;
			const text = encodeJson(planned, `Expected ctx.later("${name}")`) as string;
			if (Buffer.byteLength(text) > LARGEST_DATA) {
				throw new RangeError(
					`Expected ctx.later() with data of at most ${LARGEST_DATA} bytes of JSON; keep more in ctx.storage`,
				);
			}

			const dueAt = expectFuture(when, {method: 'later', now: effects.now()});
			const named = key === undefined ? undefined : expectKey(key, 'later');
			return keyed(await effects.schedule({kind: 'later', target: '', text, dueAt, name: named}), 'once', key);
		},
		cancel: async key => effects.schedules.cancel(expectKey(key, 'cancel')),
		stream: target =>
			openStream(expectTarget(target), options, text => effects.send({target: JSON.stringify(target), text})),
		fetch: (url, init = {}) => effects.fetch(url, init),
		download: (link, limits = {}) => effects.api().download(link, {...limits, signal: effects.signal}),
		async upload(name, data) {
			const file = new File([typeof data === 'string' ? data : Buffer.from(data)], name);
			const {url, uri} = await effects.api().uploadFile({file});
			return linkTo(name, url ?? uri ?? '');
		},
		async schedules() {
			const found = await effects.schedules.list();
			return found.flatMap(schedule =>
				schedule.target === undefined || schedule.text === undefined
					? []
					: [
							{
								...scheduled(schedule.id),
								when: new Date(schedule.dueAt),
								target: Target.parse(JSON.parse(schedule.target)),
								text: schedule.text,
								cron: schedule.kind === 'cron' ? schedule.cron : undefined,
							},
						],
			);
		},
		drafts: account => checked(effects.drafts(account)),
		async edit(messageId, text) {
			const client = effects.api();
			const content = expectText(text, 'edit');
			await changeOwn(client, {what: 'ctx.edit()', messageId}, () =>
				client.updateMessage({message_id: messageId, content}),
			);
		},
		async delete(messageId) {
			const client = effects.api();
			await changeOwn(client, {what: 'ctx.delete()', messageId}, () => client.deleteMessage({message_id: messageId}));
		},
		quote,
		until: when => `in ${sayDuration(when.getTime() - effects.now())}`,
		now: () => new Date(effects.now()),
		time: when => `<time:${when.toISOString().replace(/\.\d+Z$/, 'Z')}>`,
	};
}

/** Longer ones are cut by services, silently. */
const LONGEST_TOPIC = 60;

function checked(drafts: Drafts): Drafts {
	return {
		async put(key, target, text) {
			const place = expectTarget(target);
			if ('topic' in place && place.topic.length > LONGEST_TOPIC) {
				throw new TypeError(
					`Expected ctx.drafts().put() with a topic of at most ${LONGEST_TOPIC} characters, got ${place.topic.length}`,
				);
			}

			await drafts.put(expectKey(key, 'drafts().put'), place, expectText(text, 'drafts().put'));
		},
		remove: async key => drafts.remove(expectKey(key, 'drafts().remove')),
		list: () => drafts.list(),
	};
}

/** Bytes of what a handler is given later, as JSON. */
const LARGEST_DATA = 16 * 1024;

function expectMessage({target, text}: {target: unknown; text: unknown}, method: string) {
	return {target: expectTarget(target), text: expectText(text, method)};
}

/** @throws SendError where the service is known to refuse the message. */
async function expectPlace(target: Target, {api, now}: Effects): Promise<void> {
	if ('dm' in target || typeof target.channel !== 'string') {
		return;
	}

	let client: Client;
	try {
		client = api();
	} catch {
		return;
	}

	if (!(await mayExist(client, target.channel, now()))) {
		throw new SendError('', `there is no channel “${target.channel}” that the bot can see`);
	}
}

/** A message of the bot; `post` has it posted where it might not be. */
export function sendHandle(sendId: string, effects: Effects, post?: () => Promise<void>): SendHandle {
	const idOf = async () => {
		await post?.();
		return effects.sent(sendId);
	};
	return {
		sendId,
		get id() {
			return idOf();
		},
		async edit(text) {
			await effects.api().updateMessage({message_id: await idOf(), content: expectText(text, 'send().edit')});
		},
		async delete() {
			await effects.api().deleteMessage({message_id: await idOf()});
		},
		async react(emoji) {
			await effects.api().addReaction({message_id: await idOf(), emoji_name: emojiName(emoji)});
		},
	};
}

/** A stream whose messages `open` posts. */
export function openStream(
	target: Target,
	{effects, log, onStream}: Pick<ActionsOptions<unknown>, 'effects' | 'log' | 'onStream'>,
	open: (text: string) => Promise<string>,
): TextStream {
	return createStream(
		{
			isRerun: effects.isRerun,
			log,
			open,
			async canGrow() {
				for (;;) {
					const sight = await effects.sees(target);
					// An earlier run may have begun to grow, and then this one must go on.
					if (sight !== 'unsure' || !effects.isRerun) {
						return sight === 'sees';
					}

					await sleep(SIGHT_AGAIN_MS, undefined, {signal: effects.signal});
				}
			},
			finish: (send, text) => effects.edit({send, text}),
			async show(send, text, beforeSha256) {
				const message = await effects.sent(send);
				effects.signal.throwIfAborted();
				await effects.api().updateMessage({message_id: message, content: text, prev_content_sha256: beforeSha256});
			},
		},
		onStream,
	);
}

const SIGHT_AGAIN_MS = 1_000;

const names = new WeakMap<Client, Promise<string>>();

/** The account's full name, asked for once. */
function nameOf(client: Client): Promise<string> {
	const name = names.get(client) ?? client.getOwnUser().then(user => user.full_name);
	names.set(client, name);
	name.catch(() => names.delete(client));
	return name;
}
