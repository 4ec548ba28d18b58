// Talks to a bot without a host: what it says is collected.

import type {Payload} from '../../src/api/index.js';
import type {Bot} from '../../src/bot/bot.js';
import {cronPayload} from '../../src/bot/cron.js';
import {type BotDraft, type Drafts, UnknownAccount} from '../../src/bot/drafts.js';
import {runBot} from '../../src/bot/run.js';
import type {Client} from '../../src/client/client.js';
import type {AccountSchedules} from '../../src/delivery/schedules.js';
import {conversationKey} from '../../src/delivery/session.js';
import type {Values} from '../../src/delivery/values.js';
import {type CheckedCron, nextAfter} from '../../src/queue/cron.js';
import type {Target} from '../../src/queue/sends.js';
import {payload} from './payload.js';

interface Sent {
	readonly target: Target;
	readonly text: string;
	/** Milliseconds since 1970; 0 for at once. */
	readonly dueAt?: number;
	readonly cron?: CheckedCron;
}

type PreparedDraft = BotDraft & {readonly account: string};

interface TalkOptions<Config> {
	readonly config?: Config;
	/** What of the service the bot may ask. */
	readonly client?: Partial<Client>;
	/** Accounts in which its host keeps drafts; any where absent. */
	readonly accounts?: readonly string[];
	/** Ends the run. */
	readonly signal?: AbortSignal;
}

/** A bot to talk to: `say` gives what it replied. `start` is the time of its host, in milliseconds since 1970. */
export function talk<Session, Config>(
	speaker: Bot<Session, Config>,
	start = 0,
	{accounts, signal = new AbortController().signal, config, client}: TalkOptions<Config> = {},
) {
	let now = start;
	const sessions = new Map<string, string>();
	const values = valuesInMemory();
	const widgets: string[] = [];
	const sent: Sent[] = [];
	const drafts: PreparedDraft[] = [];
	const logged: object[] = [];
	const failures: string[] = [];
	/** What was scheduled under a name and is not cancelled. */
	const named = new Map<string, Sent>();
	const schedules: AccountSchedules = {
		async list() {
			return [...named].map(([id, {target, text, dueAt, cron}]) => {
				const said = {id, target: JSON.stringify(target), text};
				const counts = {fired: 0, missed: 0, skipped: 0, firedAt: 0};
				return cron
					? {...said, kind: 'cron', cron, counts, dueAt: nextAfter(cron, now)}
					: {...said, kind: 'once', state: 'waiting', dueAt: dueAt ?? 0};
			});
		},
		cancel: async id => named.delete(id),
		async reschedule(id, dueAt) {
			const found = named.get(id);
			if (found) {
				named.set(id, {...found, dueAt});
			}

			return found !== undefined;
		},
	};
	const keep = (message: Sent, name = String(sent.length + 1)) => {
		sent.push(message);
		named.set(name, message);
		return name;
	};
	const log = {info() {}, warn() {}, error: (fields: object) => logged.push(fields)};
	const hear = async (heard: Payload) => {
		const replies: string[] = [];
		await runBot({
			bot: speaker,
			payload: heard,
			// A bot without a config has none to look at.
			config: config as Config,
			values,
			// Whatever a test does not give it must not ask.
			client: client as Client | undefined,
			sent: async () => 0,
			session: {
				json: sessions.get(conversationKey(heard)),
				save(json) {
					sessions.set(conversationKey(heard), json);
				},
			},
			log,
			signal,
			now: () => now,
			drafts(account) {
				if (accounts && !accounts.includes(account)) {
					throw new UnknownAccount(`No account ${account}`);
				}

				return draftsIn(account, drafts);
			},
			schedules,
			say: {
				async reply(text, widget) {
					replies.push(text);
					widgets.push(...(widget === undefined ? [] : [widget]));
				},
				async send({target, text}) {
					sent.push({target: JSON.parse(target), text, dueAt: 0});
					return String(sent.length);
				},
				async schedule({target, text, dueAt, name}) {
					return keep({target: JSON.parse(target), text, dueAt}, name);
				},
				async repeat({target, text, cron, name}) {
					return keep({target: JSON.parse(target), text, cron}, name);
				},
				failed: error => failures.push(error),
			},
		});
		return replies;
	};
	return {
		say: (differences: Parameters<typeof payload>[0]) => hear(payload(differences)),
		/** Lets a handler run at its due time. */
		fire: (handler: string) => hear(cronPayload({email: 'echo-bot@chat.example.com', handler, planned: now})),
		/** Lets so many milliseconds pass. */
		wait(ms: number) {
			now += ms;
		},
		sent,
		widgets,
		drafts,
		logged,
		failures,
	};
}

function valuesInMemory(): Values {
	const kept = new Map<string, string>();
	return {
		get: async key => kept.get(key),
		keys: async () => [...kept.keys()],
		async put(key, value, before) {
			if (before && before.text !== kept.get(key)) {
				return 'changed';
			}

			if (value === undefined) {
				kept.delete(key);
			} else {
				kept.set(key, value);
			}

			return 'put';
		},
		clear: async () => kept.clear(),
	};
}

/** Drafts that no service ever takes. */
function draftsIn(account: string, all: PreparedDraft[]): Drafts {
	const isOwn = (draft: PreparedDraft) => draft.account === account;
	const drop = (key: string) => {
		const index = all.findIndex(draft => isOwn(draft) && draft.key === key);
		if (index >= 0) {
			all.splice(index, 1);
		}
	};
	return {
		async put(key, target, text) {
			drop(key);
			all.push({account, key, target, text, status: 'waiting'});
		},
		async remove(key) {
			drop(key);
		},
		list: async () => all.filter(isOwn),
	};
}
