// Talks to a bot without a host: what it says is collected.

import type {Bot} from '../../src/bot/bot.js';
import {runBot} from '../../src/bot/run.js';
import type {Target} from '../../src/queue/sends.js';
import {payload} from './payload.js';

interface Sent {
	readonly target: Target;
	readonly text: string;
	readonly dueAt: number;
}

/** A bot to talk to: `say` gives what it replied. `now` is the time of its host, in milliseconds since 1970. */
export function talk(speaker: Bot, now = 0) {
	const sent: Sent[] = [];
	const logged: object[] = [];
	const failures: string[] = [];
	const log = {info() {}, warn() {}, error: (fields: object) => logged.push(fields)};
	const say = async (differences: Parameters<typeof payload>[0]) => {
		const replies: string[] = [];
		await runBot({
			bot: speaker,
			payload: payload(differences),
			log,
			signal: new AbortController().signal,
			now: () => now,
			say: {
				async reply(text) {
					replies.push(text);
				},
				async send({target, text, dueAt}) {
					sent.push({target: JSON.parse(target), text, dueAt});
					return String(sent.length);
				},
				failed: error => failures.push(error),
			},
		});
		return replies;
	};
	return {say, sent, logged, failures};
}
