// Stands between the processes and Redis, as a name that moves with the master. It knows the scripts of a delivery's steps and strikes right at one of them.

import {once} from 'node:events';
import {type AddressInfo, connect, createServer, type Socket} from 'node:net';
import {closeAll} from './close-all.js';

/** A receiver is to be killed at a step: before Redis gets it, or when Redis has done it and nobody knows yet. */
export interface StepKill {
	readonly script: string;
	readonly sha: string;
	readonly when: 'before' | 'after';
}

export interface RedisProxy {
	readonly url: string;
	/** The next process that comes to this step dies there. */
	arm(kill: StepKill): void;
	/** What happened, `claim before`, and how often. */
	readonly done: Map<string, number>;
	close(): Promise<void>;
}

export interface RedisProxyOptions {
	/** Where a new connection leads. */
	redisPort(): number;
	/** Hash of a script, hash of the one that is to run in its place. */
	readonly replaced: ReadonlyMap<string, string>;
	/** Kills the process at the other end of a connection; false where it must live. */
	kill(remotePort: number): boolean;
	mayKill(remotePort: number): boolean;
}

/** Redis has surely done what it was sent. */
const DONE_MS = 15;

export async function startRedisProxy({redisPort, replaced, kill, mayKill}: RedisProxyOptions): Promise<RedisProxy> {
	const armed: StepKill[] = [];
	const done = new Map<string, number>();
	const clients = new Set<Socket>();

	/** Strikes at the first armed step that is found among the bytes. */
	function strike(client: Socket, bytes: string): 'no' | 'before' | 'after' {
		const port = client.remotePort ?? 0;
		const index = armed.findIndex(({sha}) => bytes.includes(sha));
		const step = armed[index];
		if (!step || !(step.when === 'before' ? kill(port) : mayKill(port))) {
			return 'no';
		}

		armed.splice(index, 1);
		note(step);
		if (step.when === 'after') {
			setTimeout(kill, DONE_MS, port);
		}

		return step.when;
	}

	function note({script, when}: StepKill): void {
		const name = `${script} ${when}`;
		done.set(name, (done.get(name) ?? 0) + 1);
	}

	const server = createServer(client => {
		clients.add(client);
		const redis = connect(redisPort(), '127.0.0.1');
		let isMute = false;
		const end = () => {
			clients.delete(client);
			client.destroy();
			redis.destroy();
		};
		for (const socket of [client, redis]) {
			socket.setNoDelay(true);
			socket.on('error', end);
			socket.on('close', end);
		}

		client.on('data', chunk => {
			if (isMute) {
				return;
			}

			const bytes = chunk.toString('latin1');
			const struck = strike(client, bytes);
			isMute = struck !== 'no';
			if (struck !== 'before') {
				redis.write(replace(chunk, bytes, replaced));
			}
		});
		redis.on('data', chunk => {
			if (!isMute) {
				client.write(chunk);
			}
		});
	});

	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
		arm: step => armed.push(step),
		done,
		close: () => closeAll(server, clients),
	};
}

function replace(chunk: Buffer, bytes: string, replaced: ReadonlyMap<string, string>): Buffer {
	const found = [...replaced].filter(([sha]) => bytes.includes(sha));
	if (found.length === 0) {
		return chunk;
	}

	return Buffer.from(
		found.reduce((text, [sha, other]) => text.replaceAll(sha, other), bytes),
		'latin1',
	);
}
