// Talks to a bot without a host: what it says is collected.

import type {Bot} from '../../src/bot/bot.js';
import {type BotDraft, type Drafts, UnknownAccount} from '../../src/bot/drafts.js';
import {runBot} from '../../src/bot/run.js';
import type {Cron} from '../../src/queue/cron.js';
import type {Target} from '../../src/queue/sends.js';
import {payload} from './payload.js';

interface Sent {
	readonly target: Target;
	readonly text: string;
	/** Milliseconds since 1970; 0 for at once. */
	readonly dueAt?: number;
	readonly cron?: Cron;
}

type PreparedDraft = BotDraft & {readonly account: string};

interface TalkOptions {
	/** Accounts in which its host keeps drafts; any where absent. */
	readonly accounts?: readonly string[];
	/** Ends the run. */
	readonly signal?: AbortSignal;
}

/** A bot to talk to: `say` gives what it replied. `now` is the time of its host, in milliseconds since 1970. */
export function talk(speaker: Bot, now = 0, {accounts, signal = new AbortController().signal}: TalkOptions = {}) {
	const sent: Sent[] = [];
	const drafts: PreparedDraft[] = [];
	const logged: object[] = [];
	const failures: string[] = [];
	const log = {info() {}, warn() {}, error: (fields: object) => logged.push(fields)};
	const say = async (differences: Parameters<typeof payload>[0]) => {
		const replies: string[] = [];
		await runBot({
			bot: speaker,
			payload: payload(differences),
			log,
			signal,
			now: () => now,
			drafts(account) {
				if (accounts && !accounts.includes(account)) {
					throw new UnknownAccount(`No account ${account}`);
				}

				return draftsIn(account, drafts);
			},
			schedules: {list: async () => [], cancel: async () => false, reschedule: async () => false},
			say: {
				async reply(text) {
					replies.push(text);
				},
				async send({target, text}) {
					sent.push({target: JSON.parse(target), text, dueAt: 0});
					return String(sent.length);
				},
				async schedule({target, text, dueAt, name}) {
					sent.push({target: JSON.parse(target), text, dueAt});
					return name ?? String(sent.length);
				},
				async repeat({target, text, cron, name}) {
					sent.push({target: JSON.parse(target), text, cron});
					return name ?? String(sent.length);
				},
				failed: error => failures.push(error),
			},
		});
		return replies;
	};
	return {say, sent, drafts, logged, failures};
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
