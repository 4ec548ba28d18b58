// Redis in trouble: killed, frozen, or a master that becomes a replica while another takes its place.

import {mkdir} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {Redis} from 'ioredis';
import {until} from '../../helpers/until.js';
import {type OwnRedis, startOwnRedis} from './own-redis.js';

/** How long each lasts, in milliseconds. */
export const OUTAGES = {
	killed: 3_000,
	'frozen 1 s': 1_000,
	'frozen 4 s': 4_000,
	'frozen 20 s': 20_000,
	demoted: 1_000,
} as const;
export type Outage = keyof typeof OUTAGES;

export interface FailingRedis {
	/** Of the master: a name that is moved with it leads there, and connections that are open stay where they are. */
	port(): number;
	/** Resolves when the outage is over. */
	cause(outage: Outage): Promise<void>;
	stop(): Promise<void>;
}

export async function startFailingRedis(folder: string): Promise<FailingRedis> {
	const start = async (name: string) => {
		await mkdir(join(folder, name));
		return startOwnRedis(join(folder, name));
	};
	let master = await start('redis-a');
	let replica: OwnRedis | undefined;

	/** The master takes no write until its replica has everything, and then they change places. */
	async function demote(): Promise<void> {
		replica ??= await start('redis-b');
		const [old, successor] = [master, replica];
		const [one, other] = [old, successor].map(({port}) => new Redis(port));
		try {
			await other?.replicaof('127.0.0.1', old.port);
			await until(async () => /master_link_status:up/.test((await other?.info('replication')) ?? ''));
			await one?.call('FAILOVER');
			await until(async () => /role:slave/.test((await one?.info('replication')) ?? ''));
			await sleep(OUTAGES.demoted);
			[master, replica] = [successor, old];
		} finally {
			one?.disconnect();
			other?.disconnect();
		}
	}

	return {
		port: () => master.port,
		cause: outage =>
			outage === 'demoted'
				? demote()
				: outage === 'killed'
					? master.kill(OUTAGES.killed)
					: master.pause(OUTAGES[outage]),
		async stop() {
			await Promise.all([master, replica].map(redis => redis?.stop()));
		},
	};
}
