// People who write to the bots, evenly over a while.

import {setTimeout as sleep} from 'node:timers/promises';
import {type Client, createClient} from '../../src/client/client.js';
import type {BotAccount} from '../../src/realm/index.js';
import {type Planned, titleOf} from './plan.js';

export interface SendAllOptions {
	readonly url: string;
	readonly overMs: number;
	readonly bots: readonly BotAccount[];
}

export async function sendAll(plan: readonly Planned[], {url, overMs, bots}: SendAllOptions): Promise<void> {
	const names = [...new Set(plan.map(({from}) => from))];
	const people = new Map<string, Client>();
	for (const name of names) {
		people.set(name, await signIn(url, `${name}@bothy.example`));
	}

	const startedAt = performance.now();
	const sent = plan.map(async ({from, bot, topic, words}, index) => {
		await sleep(startedAt + (index * overMs) / plan.length - performance.now());
		const content = topic === undefined ? words : `@**${titleOf(bot)}** ${words}`;
		const id = bots.find(({name}) => name === bot)?.userId ?? 0;
		await people
			.get(from)
			?.sendMessage(
				topic === undefined ? {type: 'direct', to: [id], content} : {type: 'channel', to: 'general', topic, content},
			);
	});
	await Promise.all(sent);
	await Promise.all([...people.values()].map(client => client.close()));
}

async function signIn(site: string, email: string): Promise<Client> {
	const nobody = createClient({site, email, key: '', userAgent: 'faults/1'});
	const {api_key: key} = await nobody.devFetchApiKey({username: email});
	await nobody.close();
	return createClient({site, email, key, userAgent: 'faults/1', timeoutMs: 60_000});
}
