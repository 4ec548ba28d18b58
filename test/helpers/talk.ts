// Runs a bot for payloads that no service would make, and collects what it posts.

import type {Bot} from '../../src/bot/bot.js';
import type {BotDraft, Drafts} from '../../src/bot/context/drafts.js';
import {runBot} from '../../src/bot/run.js';
import type {Target} from '../../src/delivery/target.js';
import type {Work} from '../../src/delivery/work.js';
import {Memory} from '../../src/testing/memory.js';
import {createMemoryValueStore} from '../../src/testing/memory-value-store.js';
import {payload} from './payload.js';

interface Sent {
	readonly target: Target;
	readonly text: string;
	/** Milliseconds since 1970; 0 for at once. */
	readonly dueAt: number;
}

/** A bot to talk to: `say` and `handle` resolve with its replies; `signal` ends the run. */
export function talk(speaker: Bot, {signal = new AbortController().signal}: {signal?: AbortSignal} = {}) {
	const sent: Sent[] = [];
	const drafts: BotDraft[] = [];
	const logged: object[] = [];
	const failures: string[] = [];
	const warnings: string[] = [];
	const handle = async (work: Work, email = 'bot@chat.example.com') => {
		const replies: string[] = [];
		const keep = (target: string, text: string, dueAt: number) => {
			sent.push({target: JSON.parse(target), text, dueAt});
			return String(sent.length);
		};
		const writer = {ref: {account: 'x', id: '1'}, run: 1};
		await runBot({
			bot: speaker,
			email,
			work,
			config: undefined,
			values: createMemoryValueStore(new Memory())(writer),
			client: undefined,
			questions: createMemoryValueStore(new Memory())(writer),
			fetchOnce: async () => new Response(),
			sees: async () => 'sees',
			sent: async () => 0,
			schedules: {
				list: async () => [],
				cancel: async () => false,
				reschedule: async () => false,
				replace: async () => {},
			},
			log: {
				info() {},
				warn: (_, message = '') => warnings.push(message),
				error: (fields: object) => logged.push(fields),
			},
			now: () => 0,
			drafts: () => draftsIn(drafts),
			run: {
				signal,
				writer,
				retry: step => step(),
				say: {
					async reply(text) {
						replies.push(text);
						return '';
					},
					send: async ({target, text}) => keep(target, text, 0),
					schedule: async ({target, text, dueAt}) => keep(target, text, dueAt),
					repeat: async ({target, text}) => keep(target, text, 0),
					post: async () => {},
					edit: async () => {},
					failed: error => failures.push(error),
				},
			},
		});
		return replies;
	};
	return {
		say(differences: Parameters<typeof payload>[0]) {
			const heard = payload(differences);
			return handle({kind: 'message', payload: heard}, heard.bot_email);
		},
		handle,
		sent,
		drafts,
		logged,
		failures,
		warnings,
	};
}

/** Drafts that no service ever takes. */
function draftsIn(all: BotDraft[]): Drafts {
	return {
		async put(key, target, text) {
			all.push({key, target, text, status: 'waiting'});
		},
		async remove() {
			all.pop();
		},
		list: async () => all,
	};
}
