// Opens the receiver of a process.

import {createDeliveries} from '../delivery/deliveries.js';
import {createRedisStore} from '../delivery/redis-store.js';
import {createWaitingRoom} from '../delivery/waiting-room.js';
import {workRef} from '../delivery/work.js';
import {backgroundDeliveries} from '../queue/background-deliveries.js';
import {openQueue} from '../queue/define-queue.js';
import {onceAMinute} from '../queue/once-a-minute.js';
import {sends} from '../queue/sends.js';
import {createReceiver} from '../receiver/receiver.js';
import {CURE, countRefusals} from '../receiver/refusals.js';
import {seldom} from '../receiver/seldom.js';
import {accountTag} from '../redis/account-key.js';
import {createEnqueue, enqueueOrWarn} from './background/enqueue.js';
import {createTyping} from './background/typing.js';
import {type BotAccount, handleWith} from './bots.js';
import {type Host, openAvailability, openConnection} from './connections.js';
import {openDependencies} from './dependencies.js';
import {publish, subscribe} from './metrics/diagnostics.js';
import {observeDeliveries} from './metrics/observed.js';
import {openPauses} from './paused-bots.js';
import type {ListenTarget} from './processes/listening-socket.js';
import type {Watchdog} from './processes/watchdog.js';
import {watched} from './processes/watched.js';
import {GRACE_MS} from './run.js';
import {urlOf} from './server-url.js';
import {countWrongTokens} from './wrong-tokens.js';

export interface ReceiverConnections {
	readonly redisUrl: string;
	readonly accounts: readonly BotAccount[];
	readonly listen: ListenTarget;
	/** The name of this process in leases. */
	readonly process: string;
	/** Whether the process with this name is known to be dead. */
	isDead(process: string): boolean;
	readonly watchdog?: Watchdog;
}

/** Listens for webhooks; resolves with the address. */
export async function openReceiver(host: Host, connections: ReceiverConnections): Promise<string> {
	const {log, teardown} = host;
	const {accounts} = connections;
	const connection = openConnection(host, connections.redisUrl, {failFast: true});
	const queue = openQueue(sends, connection);
	const backgroundQueue = openQueue(backgroundDeliveries, connection);
	const enqueueRerun = createEnqueue(backgroundQueue, accounts);
	const enqueue = enqueueOrWarn(log, createEnqueue(queue, accounts));
	const availability = openAvailability(host, connection);
	const waitingRoom = createWaitingRoom();
	const dependencies = openDependencies(host, {...connections, connection, enqueue});
	const {isHeld, unlessPaused} = await openPauses(host, connection);
	const observed = observeDeliveries(accounts, {
		store: createRedisStore(connection),
		handle: unlessPaused(watched(handleWith(dependencies), connections.watchdog)),
	});
	const deliveries = createDeliveries<BotAccount>({
		...observed,
		isHeld,
		process: connections.process,
		availability,
		waitingRoom,
		log,
		enqueue,
		isDead: holder => connections.isDead(holder.split(' ')[0] ?? ''),
		recover: (ref, deadHolder) => enqueueRerun(ref, {deadHolder}),
		showTyping: createTyping(dependencies.clientOf),
	});

	let isDraining = false;
	const withEmail = (bot: string) => accounts.filter(({email}) => email.toLowerCase() === bot.toLowerCase());
	const refusals = [
		countRefusals(60_000, refused => {
			log.warn({refused, cure: CURE}, 'refused webhooks with an unknown bot or a wrong token');
		}),
		// Redis keeps the counts, so that they outlive this process and are the same everywhere.
		countRefusals(1_000, refused => {
			for (const {bot, count} of refused) {
				for (const account of withEmail(bot)) {
					countWrongTokens(connection, {account: accountTag(account), count}).catch(() => {});
				}
			}
		}),
	];

	// CLIENT LIST is expensive for Redis.
	const countWorkers = seldom(1_000, () => queue.countWorkers().catch(() => undefined));

	async function whatIsMissed(): Promise<string[]> {
		const isThere = !availability.isAway && connection.status === 'ready';
		const workers = isThere ? await countWorkers() : undefined;
		return workers === undefined ? ['redis'] : workers === 0 ? ['workers'] : [];
	}

	const unsubscribe = subscribe('collect', ({set}) => {
		set('waiting_room', waitingRoom.size);
		set('redis_up', availability.isAway || connection.status !== 'ready' ? 0 : 1);
	});
	const isNewFlood = onceAMinute();
	const ignoreFloods = subscribe('delivery', ({bot, delivery, outcome}) => {
		if (outcome === 'flood' && isNewFlood(bot)) {
			const cure =
				'raise `perMinute` of the bot if that is wanted; `bothy deliveries --status flood` lists these messages';
			log.warn({bot, delivery, cure}, 'a person writes to a bot too fast; the bot does not run for these messages');
		}
	});
	const server = createReceiver({
		accounts,
		async deliver(arrival) {
			const ref = workRef(arrival.account, arrival.work);
			const answer = await deliveries.receive({ref, ...arrival});
			const ms = performance.now() - arrival.arrivedAt;
			publish('answer', {bot: arrival.account.name, ms});
			log.info({bot: arrival.account.name, delivery: ref.id, ms: Math.round(ms)}, 'answered');
			return answer;
		},
		async readiness() {
			if (isDraining) {
				return {missing: ['this receiver is stopping'], degraded: []};
			}

			if (waitingRoom.isFull) {
				return {missing: ['Redis is away, and no more deliveries can wait for it'], degraded: ['redis']};
			}

			return {missing: [], degraded: await whatIsMissed()};
		},
		report(error) {
			// The client hung up. This is not an error.
			const level = isHangUp(error) ? 'debug' : 'error';
			log[level]({err: error}, 'the receiver failed');
		},
		refused(refusal) {
			const named = withEmail(refusal.bot);
			const reason = named.length > 0 ? 'wrong_token' : 'unknown_bot';
			publish('refusal', {bot: named[0]?.name ?? '', reason});
			for (const counter of refusals) {
				counter.note(refusal);
			}
		},
	});
	await new Promise<void>((listening, failed) => {
		server.once('error', failed);
		server.listen(connections.listen, listening);
	});
	teardown.add(async () => {
		isDraining = true;
		unsubscribe();
		ignoreFloods();
		for (const counter of refusals) {
			counter.close();
		}
		const since = performance.now();
		await server.drain(GRACE_MS);
		await deliveries.close(GRACE_MS - (performance.now() - since));
		await Promise.all([queue.close(), backgroundQueue.close()]);
	});

	return urlOf(server);
}

const HANG_UPS = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']);

function isHangUp(error: unknown): boolean {
	return error instanceof Error && 'code' in error && HANG_UPS.has(String(error.code));
}
