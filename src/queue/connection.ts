import {Cluster, Redis} from './ioredis.js';
import {readRedisUrl} from './redis-url.js';

export type RedisConnection = Redis | Cluster;

export interface ConnectionListener {
	/** Called once per outage, not once per attempt. */
	onLost(error: Error): void;
	onBack(): void;
}

/**
 * Connects to what a REDIS_URL names (`redis-url.ts`).
 *
 * A connection for work that can wait: commands stand in line while Redis is away. What must answer at once opens its own
 * with `failFast`.
 */
export function connectRedis(
	url: string,
	options: {failFast?: boolean; listener: ConnectionListener},
): RedisConnection {
	const redis = open(url, options.failFast === true);
	if (redis instanceof Redis) {
		writeTogether(redis);
	}

	let lost = false;
	redis.on('error', (error: Error) => {
		if (!lost) {
			lost = true;
			options.listener.onLost(error);
		}
	});
	redis.on('ready', () => {
		if (lost) {
			lost = false;
			options.listener.onBack();
		}
	});
	return redis;
}

/** Commands that wait block for ten seconds at most. */
const SILENT_MS = 30_000;

/** A server that says nothing for so long is given up: it may be dead, and another one in its place. */
const SILENT_FAST_MS = 3_000;

function open(url: string, failFast: boolean): RedisConnection {
	const place = readRedisUrl(url);
	if (!place) {
		throw new Error('Expected REDIS_URL to be a URL such as redis://:password@host:6379');
	}

	const retryStrategy = (attempt: number) => Math.min(50 * attempt, 1000);
	const common = {
		connectTimeout: SILENT_FAST_MS,
		// A master that became a replica: the next connection may lead to its successor.
		reconnectOnError: (error: Error) => (error.message.startsWith('READONLY') ? (failFast ? 1 : 2) : false),
		...(failFast
			? {
					enableOfflineQueue: false,
					commandTimeout: 500,
					maxRetriesPerRequest: 0,
					autoResendUnfulfilledCommands: false,
					socketTimeout: SILENT_FAST_MS,
				}
			: {maxRetriesPerRequest: null, socketTimeout: SILENT_MS}),
	} as const;
	const {nodes, options} = place;
	switch (place.kind) {
		case 'server':
			return new Redis({...common, ...options, ...nodes[0], retryStrategy});
		case 'sentinel':
			return new Redis({
				...common,
				...options,
				sentinels: [...nodes],
				sentinelRetryStrategy: retryStrategy,
				retryStrategy,
			});
		default:
			return new Cluster([...nodes], {
				redisOptions: {...common, ...options},
				clusterRetryStrategy: retryStrategy,
				enableOfflineQueue: !failFast,
				slotsRefreshInterval: SLOTS_EVERY_MS,
			});
	}
}

/** How soon a failover of a Cluster shows where no answer names the new node. */
const SLOTS_EVERY_MS = 2_000;

/**
 * Commands of one turn of the event loop leave in one write: under load that halves what a command costs here. Unlike
 * auto-pipelining it keeps each command a command of its own, with its own answer and error.
 */
function writeTogether(redis: Redis): void {
	const send = redis.sendCommand.bind(redis);
	let isCorked = false;
	redis.sendCommand = (command, stream) => {
		const socket = redis.stream;
		if (!isCorked && socket) {
			isCorked = true;
			socket.cork();
			setImmediate(() => {
				isCorked = false;
				socket.uncork();
			});
		}

		return send(command, stream);
	};
}
