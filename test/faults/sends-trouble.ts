// Everything that goes wrong while messages are posted.

import {setTimeout as sleep} from 'node:timers/promises';
import {accountTag} from '../../src/delivery/ref.js';
import type {RedisConnection} from '../../src/queue/connection.js';
import type {BotAccount, Realm} from '../../src/realm/index.js';
import type {OwnRedis} from './own-redis.js';
import type {Kept} from './processes.js';

const KINDS = ['429', '500', '502-html', 'silence', 'break-before', 'accept-and-break', 'unreadable'] as const;

export interface TroubleSize {
	readonly overMs: number;
	readonly killEveryMs: number;
	readonly troubleEveryMs: number;
	readonly expiries: number;
	readonly restartsRedis: boolean;
}

interface Victims {
	readonly realm: Realm;
	readonly bots: readonly BotAccount[];
	readonly redis: OwnRedis;
	readonly workers: readonly Kept[];
	readonly connection: RedisConnection;
}

export function disturb(size: TroubleSize, {realm, bots, redis, workers, connection}: Victims) {
	const counts = new Map<string, number>();
	const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
	let isOver = false;

	async function every(ms: number, act: () => Promise<void> | void): Promise<void> {
		for (await sleep(ms); !isOver; await sleep(ms)) {
			await act();
		}
	}

	async function cause(path: string, body: object): Promise<void> {
		const {status} = await fetch(`${realm.url}/trouble/${path}`, {
			method: 'POST',
			headers: {'content-type': 'application/json'},
			body: JSON.stringify(body),
		});
		if (status !== 200) {
			throw new Error(`The realm refused the trouble ${JSON.stringify(body)}: ${status}`);
		}
	}

	let killed = 0;
	const running = [
		every(size.killEveryMs, () => {
			const [pid] = workers[killed++ % workers.length]?.pids() ?? [];
			if (pid) {
				process.kill(pid, 'SIGKILL');
				count('killed');
			}
		}),
		every(size.troubleEveryMs, async () => {
			const kind = pick(KINDS);
			await cause('calls', {kind, operation: 'sendMessage', account: pick(bots).email, count: 1, retry_after: 0.3});
			count(kind);
		}),
		(async () => {
			for (let done = 0; done < size.expiries; done++) {
				await sleep(size.overMs / (size.expiries + 1));
				for (const bot of bots) {
					const queue = await connection.hget(`bothy:{${accountTag(bot)}}:receipts`, 'queue');
					if (queue) {
						await cause('expire-queue', {queue_id: queue}).then(
							() => count('queues expired'),
							// It had gone by itself.
							() => {},
						);
					}
				}
			}
		})(),
		(async () => {
			if (size.restartsRedis) {
				await sleep(size.overMs * 0.6);
				await redis.restart();
				count('Redis restarted');
			}
		})(),
	];

	return {
		async end(): Promise<void> {
			isOver = true;
			await Promise.all(running);
		},
		report: () => [...counts].map(([what, times]) => `${what} ${times}`).join(', '),
	};
}

function pick<Item>(items: readonly Item[]): Item {
	return items[Math.floor(Math.random() * items.length)] as Item;
}
