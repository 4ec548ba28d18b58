import {setTimeout as sleep} from 'node:timers/promises';
import {Cluster, Redis, SentinelConnector} from 'ioredis';
import {DEFAULT_PREFIX, setPrefix} from './account-key.js';
import {nameRedis, type RedisPlace, readRedisUrl} from './redis-url.js';

export type RedisConnection = Redis | Cluster;

export interface ConnectionListener {
	/** Called once per outage, not once per attempt; `host` is for people. */
	onLost(error: Error, host: string): void;
	onBack(): void;
}

/**
 * Connects to what a REDIS_URL names (`redis-url.ts`).
 *
 * A connection for work that can wait: commands are queued while Redis is away. Code that must answer at once opens its own
 * with `failFast`.
 */
export function connectRedis(
	url: string,
	options: {failFast?: boolean; prefix?: string; listener: ConnectionListener},
): RedisConnection {
	const place = readRedisUrl(url);
	if (!place) {
		throw new Error('Expected REDIS_URL to be a URL such as redis://:password@host:6379');
	}

	const redis = open(place, options.failFast === true);
	setPrefix(redis, options.prefix ?? DEFAULT_PREFIX);
	readBeforeTimeouts(redis);
	if (redis instanceof Redis) {
		writeTogether(redis);
		// Each command that is refused in the same turn would close the connection once more.
		redis.on('connect', () => redis.stream.setMaxListeners(0));
	}

	let isLost = false;
	const lose = (error: Error) => {
		if (!isLost) {
			isLost = true;
			options.listener.onLost(error, nameRedis(url));
		}
	};
	redis.on('error', lose);
	redis.on('ready', () => {
		if (isLost) {
			isLost = false;
			options.listener.onBack();
		}
	});
	leaveWhereNobodyAnswers(redis, lose);
	return redis;
}

/** Waits for work that needs Redis, as long as Redis answers. */
export async function whileAnswering(redis: RedisConnection, done: Promise<unknown>): Promise<void> {
	let isDone = false;
	const ended = done.finally(() => {
		isDone = true;
	});
	const silence = async () => {
		while (!isDone && redis.status === 'ready') {
			if ((await Promise.race([redis.ping(), sleep(ANSWER_MS, 'late')])) === 'late') {
				return;
			}

			await sleep(LOOK_MS);
		}
	};
	await Promise.race([ended, silence().catch(() => {})]);
}

/** How often to check. */
const LOOK_MS = 100;

/** Leaves a server that accepts connections and is then silent (frozen, or not Redis), or that is still loading. */
function leaveWhereNobodyAnswers(redis: RedisConnection, lose: (error: Error) => void): void {
	let timer: NodeJS.Timeout | undefined;
	redis.on('connect', () => {
		timer = setTimeout(() => {
			lose(new Error(`it accepts connections but was not ready after ${SILENT_FAST_MS} ms`));
			redis.disconnect(true);
		}, SILENT_FAST_MS);
	});
	for (const event of ['ready', 'close']) {
		redis.on(event, () => clearTimeout(timer));
	}
}

/** Blocking commands block for ten seconds at most. */
const SILENT_MS = 15_000;

/** A server that is silent for this long is given up: it may be dead and replaced by another one. */
const SILENT_FAST_MS = 3_000;

/** A command that takes longer counts as unanswered. A busy machine is no outage. */
const ANSWER_MS = 2_000;

/** How long an abandoned connection stays open for answers that are under way. */
const LEAVING_MS = 500;

/** Delay before a server that refused its work is tried again, if no other has replaced it. */
const REFUSED_MS = 500;

/** A server that is no longer a master, or that its replicas have left. The next connection may lead to its successor. */
const LEFT = /(^|: -)(READONLY|LOADING|MASTERDOWN|NOREPLICAS)/;

function open(place: RedisPlace, failFast: boolean): RedisConnection {
	let isRefused = false;
	const retryStrategy = (attempt: number) => {
		const waitMs = isRefused ? REFUSED_MS : Math.min(50 * attempt, 1000);
		isRefused = false;
		return waitMs;
	};
	const common = {
		connectTimeout: SILENT_FAST_MS,
		disconnectTimeout: LEAVING_MS,
		reconnectOnError(error: Error) {
			if (!LEFT.test(error.message)) {
				return false;
			}

			isRefused = true;
			// 2: ioredis sends the command again.
			return failFast ? 1 : 2;
		},
		...(failFast
			? {
					enableOfflineQueue: false,
					commandTimeout: ANSWER_MS,
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
				retryStrategy,
				sentinels: [...nodes],
				sentinelRetryStrategy: retryStrategy,
				sentinelCommandTimeout: SILENT_FAST_MS,
				failoverDetector: true,
				Connector: FailoverConnector,
			});
		default:
			return letExit(
				new Cluster([...nodes], {
					redisOptions: {...common, ...options},
					clusterRetryStrategy: retryStrategy,
					enableOfflineQueue: !failFast,
					slotsRefreshInterval: SLOTS_EVERY_MS,
					// A hundred milliseconds each.
					maxRedirections: failFast ? 5 : Number.POSITIVE_INFINITY,
				}),
			);
	}
}

/**
 * Leaves a master as soon as a Sentinel reports another one: a frozen master would not report it itself.
 *
 * ioredis listens to Sentinels until it has a new connection. If one reports while it looks for the new master, that would
 * end the connection for good.
 */
class FailoverConnector extends SentinelConnector {
	constructor(options: unknown) {
		// ioredis forwards its own events.
		super(options as ConstructorParameters<typeof SentinelConnector>[0]);
	}

	override connect(...args: Parameters<SentinelConnector['connect']>) {
		// The type hides this field.
		const own = this as unknown as {failoverDetector: {cleanup(): void} | null};
		own.failoverDetector?.cleanup();
		own.failoverDetector = null;
		return super.connect(...args);
	}
}

/**
 * After a stall of this process, timers run before it reads the answers that Redis sent in the meantime. Such a stall is no
 * silence of Redis: a command has timed out only if there is nothing to read.
 */
function readBeforeTimeouts(redis: RedisConnection): void {
	const send: Cluster['sendCommand'] = redis.sendCommand.bind(redis);
	redis.sendCommand = (command: Parameters<typeof send>[0], ...rest: never[]) => {
		const {reject} = command;
		command.reject = (error: Error) => {
			if (error.message === 'Command timed out') {
				setImmediate(reject, error);
			} else {
				reject(error);
			}
		};
		return send(command, ...rest);
	};
}

/**
 * ioredis asks for the nodes of a Cluster again and again. If a connection is closed between question and answer, that goes on
 * forever. Then its timer must not keep the process alive. BullMQ's own connection is a duplicate.
 */
function letExit(cluster: Cluster): Cluster {
	const refresh = cluster.refreshSlotsCache.bind(cluster);
	cluster.refreshSlotsCache = callback =>
		refresh(error => {
			callback?.(error);
			// The type hides this field.
			(cluster as unknown as {slotsTimer: NodeJS.Timeout | null}).slotsTimer?.unref();
		});
	const duplicate: Cluster['duplicate'] = cluster.duplicate.bind(cluster);
	cluster.duplicate = ((...rest: Parameters<typeof duplicate>) => letExit(duplicate(...rest))) as typeof duplicate;
	return cluster;
}

/** Maximum time until a failover of a Cluster is noticed if no answer names the new node. */
const SLOTS_EVERY_MS = 2_000;

/**
 * Sends the commands of one turn of the event loop in one write. Under load this halves the cost of a command here. Unlike
 * auto-pipelining it keeps each command separate, with its own answer and error.
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
