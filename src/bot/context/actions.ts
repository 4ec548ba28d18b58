// The methods of `ctx` that every handler has, such as `send` and `schedule`. The host carries them out.

import {setTimeout as sleep} from 'node:timers/promises';
import type {Client} from '../../client/client.js';
import {linkTo} from '../../client/download.js';
import {Target} from '../../delivery/target.js';
import type {Planned} from '../../delivery/work.js';
import {checkCron} from '../../queue/cron.js';
import {encodeJson} from '../../storage/json.js';
import {expectFuture, expectKey, expectTarget, expectText} from '../arguments/expect.js';
import {sayDuration} from '../arguments/moment.js';
import {SendError} from '../failure.js';
import {changeOwn, emojiName} from './blindness.js';
import type {Actions} from './capabilities.js';
import {type Choice, widgetOf} from './choices.js';
import type {Drafts} from './drafts.js';
import type {ScheduleHandle, SendHandle, TextStream} from './handles.js';
import {mayExist} from './known-channels.js';
import {quote} from './quote.js';
import type {Scope} from './scope.js';
import {createStorage} from './storage.js';
import {createStream} from './stream.js';

/** The conversation that the run answers. Empty if nobody wrote. */
interface Asked {
	/** Markdown that mentions the bot, if its name is known. */
	readonly mention?: string;
	/** The conversation of the message. */
	readonly here?: Target;
}

/** What a bot can do, and `more`. */
export function createActions<Config, More extends object>(
	scope: Scope<Config>,
	more: More,
	asked: Asked = {},
): Actions<Config> & More {
	const {config, log, email, run, schedules, now} = scope;
	const scheduled = (id: string): ScheduleHandle => ({
		id,
		cancel: () => schedules.cancel(id),
		reschedule: when => schedules.reschedule(id, expectFuture(when, {method: 'reschedule', now: now()})),
	});
	/** A new schedule replaces the one with the same key. */
	const keyed = async (id: string, kind: 'once' | 'cron', key: string | undefined) => {
		if (key !== undefined) {
			await schedules.replace(id, kind);
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
		const calls = 'dm' in target ? '' : `${asked.mention ?? `@**${await nameOf(scope.api())}**`} `;
		return widgetOf({heading, choices}, {calls, method});
	};

	return {
		config,
		log,
		me: {email},
		storage: createStorage(scope.values, email),
		async send(target, text, {choices} = {}) {
			const said = await message({target, text, choices}, 'send');
			await expectPlace(target, scope);
			return sendHandle(await run.say.send(said), scope);
		},
		async schedule(when, target, text, {key, via, choices} = {}) {
			const name = key === undefined ? undefined : expectKey(key, 'schedule');
			const said = {...(await message({target, text, choices}, 'schedule')), name};
			if (when instanceof Date) {
				if (via !== undefined && choices) {
					throw new TypeError(
						"Expected ctx.schedule() without choices, since `via: 'service'` is set: the service cannot store buttons",
					);
				}

				const dueAt = expectFuture(when, {method: 'schedule', now: now()});
				return keyed(await run.say.schedule({...said, dueAt, via}), 'once', key);
			}

			if (via !== undefined) {
				throw new TypeError("Expected ctx.schedule() with a Date, since `via: 'service'` is set, got a cron pattern");
			}

			return keyed(await run.say.repeat({...said, cron: checkCron(when)}), 'cron', key);
		},
		async later(when, name, data, {key} = {}) {
			if (!scope.bot.laters.has(name)) {
				throw new TypeError(`Expected ctx.later() with the name of a .later() of this bot, got "${name}"`);
			}

			const planned = {name, data, ...(asked.here && {from: asked.here})} satisfies Planned;
			const text = encodeJson(planned, `Expected ctx.later("${name}")`) as string;
			if (Buffer.byteLength(text) > LARGEST_DATA) {
				throw new RangeError(
					`Expected ctx.later() with data of at most ${LARGEST_DATA} bytes of JSON; keep more in ctx.storage`,
				);
			}

			const dueAt = expectFuture(when, {method: 'later', now: now()});
			const named = key === undefined ? undefined : expectKey(key, 'later');
			return keyed(await run.say.schedule({kind: 'later', target: '', text, dueAt, name: named}), 'once', key);
		},
		cancel: async key => schedules.cancel(expectKey(key, 'cancel')),
		stream: target =>
			openStream(expectTarget(target), scope, text => run.say.send({target: JSON.stringify(target), text})),
		fetch: (url, init = {}) => scope.fetch(url, init),
		download: (link, limits = {}) => scope.api().download(link, {...limits, signal: run.signal}),
		async upload(name, data) {
			const file = new File([typeof data === 'string' ? data : Buffer.from(data)], name);
			const {url, uri} = await scope.api().uploadFile({file});
			return linkTo(name, url ?? uri ?? '');
		},
		async schedules() {
			const found = await schedules.list();
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
		drafts: account => checked(scope.drafts(account)),
		async edit(messageId, text) {
			const client = scope.api();
			const content = expectText(text, 'edit');
			await changeOwn(client, {what: 'ctx.edit()', messageId}, () =>
				client.updateMessage({message_id: messageId, content}),
			);
		},
		async delete(messageId) {
			const client = scope.api();
			await changeOwn(client, {what: 'ctx.delete()', messageId}, () => client.deleteMessage({message_id: messageId}));
		},
		quote,
		until: when => `in ${sayDuration(when.getTime() - now())}`,
		now: () => new Date(now()),
		time: when => `<time:${when.toISOString().replace(/\.\d+Z$/, 'Z')}>`,
		...more,
		// Few handlers look at these, so they stay getters: an account may have no client, and a signal is expensive.
		get api() {
			return scope.ownApi();
		},
		get signal() {
			return run.signal;
		},
	};
}

/** Services truncate longer topics silently. */
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

/** Limit for the data of `ctx.later()`, in bytes of JSON. */
const LARGEST_DATA = 16 * 1024;

function expectMessage({target, text}: {target: unknown; text: unknown}, method: string) {
	return {target: expectTarget(target), text: expectText(text, method)};
}

/** @throws SendError if the service would certainly refuse the message. */
async function expectPlace(target: Target, {api, now}: Scope<unknown>): Promise<void> {
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

/** A message of the bot. `post` makes a worker post a reply that the webhook's answer would otherwise carry. */
export function sendHandle(sendId: string, scope: Scope<unknown>, post?: () => Promise<void>): SendHandle {
	const idOf = async () => {
		await post?.();
		return scope.sent(sendId);
	};
	return {
		sendId,
		get id() {
			return idOf();
		},
		async edit(text) {
			await scope.api().updateMessage({message_id: await idOf(), content: expectText(text, 'send().edit')});
		},
		async delete() {
			await scope.api().deleteMessage({message_id: await idOf()});
		},
		async react(emoji) {
			await scope.api().addReaction({message_id: await idOf(), emoji_name: emojiName(emoji)});
		},
	};
}

/** A stream whose messages `open` posts. */
export function openStream(target: Target, scope: Scope<unknown>, open: (text: string) => Promise<string>): TextStream {
	const {log, run, onStream} = scope;
	// An earlier run of this delivery may have posted something.
	const isRerun = run.writer.run > 1;
	return createStream(
		{
			isRerun,
			log,
			open,
			async canGrow() {
				for (;;) {
					const sight = await scope.sees(target);
					// An earlier run may have begun the message. Then this run must complete it.
					if (sight !== 'unsure' || !isRerun) {
						return sight === 'sees';
					}

					await sleep(SIGHT_AGAIN_MS, undefined, {signal: run.signal});
				}
			},
			finish: (send, text) => run.say.edit({send, text}),
			async show(send, text, beforeSha256) {
				const message = await scope.sent(send);
				run.signal.throwIfAborted();
				await scope.api().updateMessage({message_id: message, content: text, prev_content_sha256: beforeSha256});
			},
		},
		onStream,
	);
}

const SIGHT_AGAIN_MS = 1_000;

const names = new WeakMap<Client, Promise<string>>();

/** The account's full name, cached. */
function nameOf(client: Client): Promise<string> {
	const name = names.get(client) ?? client.getOwnUser().then(user => user.full_name);
	names.set(client, name);
	name.catch(() => names.delete(client));
	return name;
}
