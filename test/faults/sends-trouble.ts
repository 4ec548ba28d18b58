// Everything that goes wrong while messages are posted.

import {setTimeout as sleep} from 'node:timers/promises';
import {createClient} from '../../src/client/client.js';
import type {BotAccount} from '../../src/realm/index.js';
import {accountTag} from '../../src/redis/account-key.js';
import type {RedisConnection} from '../../src/redis/connection.js';
import type {Kept} from './processes.js';
import type {Posted} from './sends-verdict.js';
import type {FailingRedis} from './trouble/outages.js';
import {type OutageSize, troubleRedis} from './trouble/trouble-redis.js';

const KINDS = ['429', '500', '502-html', 'silence', 'break-before', 'accept-and-break', 'unreadable'] as const;

export interface TroubleSize extends OutageSize {
	readonly overMs: number;
	readonly killEveryMs: number;
	/** Share of posts that go wrong. */
	readonly troubledShare: number;
	/**
	 * How long people take to read a message before they delete it. Where the receipts queue was lost, a message that is gone
	 * before its worker has looked is posted again, and nobody can look while Redis or all workers are away.
	 */
	readonly readingMs: number;
	/** How often somebody edits, moves or deletes what was posted. */
	readonly changeEveryMs: number;
	readonly expiries: number;
}

interface Victims {
	readonly bots: readonly BotAccount[];
	readonly redis: FailingRedis;
	readonly workers: readonly Kept[];
	readonly connection: RedisConnection;
	readonly posted: Posted;
}

/** The part of the trouble API's answers that is looked at. */
interface Answer {
	readonly shares?: readonly {readonly troubled: number}[];
}

/** Calls the realm's trouble API. */
export function troubleOf(site: string) {
	return async (method: 'POST' | 'DELETE', path: string, body?: object): Promise<Answer> => {
		const response = await fetch(`${site}/trouble/${path}`, {
			method,
			...(body && {headers: {'content-type': 'application/json'}, body: JSON.stringify(body)}),
		});
		if (response.status !== 200) {
			throw new Error(`The realm refused ${method} ${path} ${JSON.stringify(body)}: ${await response.text()}`);
		}

		return response.json() as Promise<Answer>;
	};
}

export function disturb(size: TroubleSize, {bots, redis, workers, connection, posted}: Victims) {
	const site = bots[0]?.site ?? '';
	const ask = troubleOf(site);
	const counts = new Map<string, number>();
	const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
	let isOver = false;

	async function every(ms: number, act: () => Promise<void> | void): Promise<void> {
		for (await sleep(ms); !isOver; await sleep(ms)) {
			await act();
		}
	}

	/** The bot's own edits; moves and deletions by somebody who may. */
	async function changeMessages(): Promise<void> {
		const clients = bots.map(bot => createClient({...bot, userAgent: 'changes/1'}));
		const nobody = createClient({site, email: '', key: '', userAgent: 'changes/1'});
		const {api_key: key} = await nobody.devFetchApiKey({username: 'olivia@bothy.example'});
		const olivia = createClient({site, email: 'olivia@bothy.example', key, userAgent: 'changes/1'});
		const remove = async (id: number) => {
			await olivia.deleteMessage({message_id: id});
			count('deleted');
		};
		const changes = [
			async (id: number, author: string) => {
				await clients.find(({email}) => email === author)?.updateMessage({message_id: id, content: `changed ${id}`});
				count('edited');
			},
			async (id: number) => {
				await olivia.updateMessage({message_id: id, topic: 'moved'});
				count('moved');
			},
			remove,
		];
		await every(size.changeEveryMs, async () => {
			const change = pick(changes);
			const readBefore = Date.now() - (change === remove ? size.readingMs : 0);
			const found = pick(posted.messages().filter(({timestamp}) => timestamp * 1_000 < readBefore));
			if (found) {
				posted.noteBefore(found.id);
				// Somebody else may have deleted it.
				await change(found.id, found.email).catch(() => count('changes refused'));
			}
		});
		await Promise.all([...clients, nobody, olivia].map(client => client.close()));
	}

	let killed = 0;
	const running = [
		every(size.killEveryMs, () => {
			const [pid] = workers[killed++ % workers.length]?.pids() ?? [];
			if (pid) {
				process.kill(pid, 'SIGKILL');
				count('workers killed');
			}
		}),
		ask('POST', 'shares', {
			share: size.troubledShare,
			kinds: KINDS,
			seed: 7,
			operation: 'sendMessage',
			retry_after: 0.3,
		}),
		changeMessages(),
		(async () => {
			for (let done = 0; done < size.expiries; done++) {
				await sleep(size.overMs / (size.expiries + 1));
				for (const bot of bots) {
					const queue = await connection.hget(`bothy:{${accountTag(bot)}}:receipts`, 'queue');
					if (queue) {
						await ask('POST', 'expire-queue', {queue_id: queue}).then(
							() => count('queues expired'),
							// It had gone by itself.
							() => {},
						);
					}
				}
			}
		})(),
		troubleRedis(size, {redis, groups: [workers]}).then(done => {
			for (const [what, times] of done) {
				counts.set(what, times);
			}
		}),
	];

	return {
		async end(): Promise<void> {
			isOver = true;
			await Promise.all(running);
			const {shares = []} = await ask('DELETE', 'shares');
			counts.set('posts troubled', shares[0]?.troubled ?? 0);
		},
		report: () => [...counts].map(([what, times]) => `${what} ${times}`).join(', '),
	};
}

function pick<Item>(items: readonly Item[]): Item {
	return items[Math.floor(Math.random() * items.length)] as Item;
}
