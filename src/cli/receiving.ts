// The receiver as a process runs it.

import type {AddressInfo} from 'node:net';
import {createDeliveries} from '../delivery/deliveries.js';
import {createRedisStore} from '../delivery/redis-store.js';
import {createWaitingRoom} from '../delivery/waiting-room.js';
import {openQueue} from '../queue/define-queue.js';
import {reruns} from '../queue/reruns.js';
import {sends} from '../queue/sends.js';
import {createReceiver} from '../receiver/receiver.js';
import {createRefusalLog} from '../receiver/refusals.js';
import {type BotAccount, handleWith} from './bots.js';
import {lineUp, wakeOrWarn} from './line-up.js';
import type {ListenTarget} from './listening-socket.js';
import {type Host, openAvailability, openConnection} from './parts.js';
import {GRACE_MS} from './run.js';
import {openTools} from './tools.js';
import {createTyping} from './typing.js';
import {type Watchdog, watched} from './watchdog.js';

export interface ReceiverParts {
	readonly redisUrl: string;
	readonly accounts: readonly BotAccount[];
	readonly listen: ListenTarget;
	/** Names this process in leases. */
	readonly process: string;
	/** Whether a process of that name is known to be gone. */
	isDead(process: string): boolean;
	readonly watchdog?: Watchdog;
}

/** Listens for webhooks; resolves with the address. */
export async function openReceiver(host: Host, parts: ReceiverParts): Promise<string> {
	const {log, teardown} = host;
	const {accounts} = parts;
	const connection = openConnection(host, parts.redisUrl, {failFast: true});
	const queue = openQueue(sends, connection);
	const rerunning = openQueue(reruns, connection);
	const lineUpRerun = lineUp(rerunning, accounts);
	const wake = wakeOrWarn(log, lineUp(queue, accounts));
	const availability = openAvailability(host, connection);
	const waitingRoom = createWaitingRoom();
	const tools = openTools(host, {...parts, connection, wake});
	const deliveries = createDeliveries<BotAccount>({
		process: parts.process,
		store: createRedisStore(connection),
		availability,
		waitingRoom,
		log,
		wake,
		isDead: holder => parts.isDead(holder.split(' ')[0] ?? ''),
		recover: (ref, deadHolder) => lineUpRerun(ref, {deadHolder}),
		handle: watched(handleWith(tools), parts.watchdog),
		showTyping: createTyping(tools.clientOf),
	});

	let isDraining = false;
	const refusals = createRefusalLog((fields, message) => log.warn(fields, message));

	async function whatIsMissed(): Promise<string[]> {
		const isThere = !availability.isAway && connection.status === 'ready';
		const workers = isThere ? await queue.countWorkers().catch(() => undefined) : undefined;
		return workers === undefined ? ['redis'] : workers === 0 ? ['workers'] : [];
	}

	const server = createReceiver({
		accounts,
		async deliver(arrival) {
			const answer = await deliveries.receive(arrival);
			const ms = Math.round(performance.now() - arrival.arrivedAt);
			log.info({bot: arrival.account.name, message: arrival.payload.message.id, ms}, 'answered');
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
			// Somebody hung up: their affair.
			const level = isHangUp(error) ? 'debug' : 'error';
			log[level]({err: error}, 'the receiver failed');
		},
		refused: refusals.note,
	});
	await new Promise<void>((listening, failed) => {
		server.once('error', failed);
		server.listen(parts.listen, listening);
	});
	teardown.add(async () => {
		isDraining = true;
		refusals.close();
		const since = performance.now();
		await server.drain();
		await deliveries.close(GRACE_MS - (performance.now() - since));
		await Promise.all([queue.close(), rerunning.close()]);
	});

	const {address, port} = server.address() as AddressInfo;
	return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}

const HANG_UPS = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']);

function isHangUp(error: unknown): boolean {
	return error instanceof Error && 'code' in error && HANG_UPS.has(String(error.code));
}
