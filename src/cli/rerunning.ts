// A process apart that runs again what nobody holds any more. What ended one receiver may end whoever runs it next, and
// those who answer people should not be among them.

import {Payload} from '../api/index.js';
import {createDeliveries} from '../delivery/deliveries.js';
import {createRedisStore} from '../delivery/redis-store.js';
import {accountTag} from '../delivery/ref.js';
import {openQueue} from '../queue/define-queue.js';
import {defineWorker, startWorker} from '../queue/define-worker.js';
import {reruns} from '../queue/reruns.js';
import {sends} from '../queue/sends.js';
import {type BotAccount, handleWith} from './bots.js';
import {type Host, openConnection} from './parts.js';
import {GRACE_MS, lineUp, type ReceiverParts, wakeOrWarn, watched} from './receiving.js';

interface RerunTools {
	readonly log: Host['log'];
	rerun(delivery: {
		readonly site: string;
		readonly email: string;
		readonly delivery: string;
		readonly deadHolder?: string | undefined;
	}): Promise<void>;
}

const rerunWorker = defineWorker({
	queue: reruns,
	concurrency: 10,
	async run(job, {rerun}: RerunTools) {
		await rerun(job);
		return {};
	},
});

export async function openRerunner(host: Host, parts: Omit<ReceiverParts, 'listen'>): Promise<void> {
	const {log, teardown} = host;
	const {redisUrl, accounts} = parts;
	const connection = openConnection(host, redisUrl);
	const queue = openQueue(sends, connection);
	const store = createRedisStore(connection);
	const deliveries = createDeliveries<BotAccount>({
		process: parts.process,
		store,
		log,
		wake: wakeOrWarn(log, lineUp(queue, accounts)),
		isDead: holder => parts.isDead(holder.split(' ')[0] ?? ''),
		handle: watched(handleWith(log), parts.watchdog),
	});
	const worker = await startWorker(rerunWorker, openConnection(host, redisUrl), {
		log,
		async rerun({site, email, delivery, deadHolder}) {
			const account = accounts.find(candidate => candidate.site === site && candidate.email === email);
			const stored = account && (await store.read({account: accountTag(account), id: delivery}));
			if (account && stored?.payload !== undefined) {
				const payload = Payload.parse(JSON.parse(stored.payload));
				await deliveries.rerun({account, payload, text: stored.payload, deadHolder});
			}
		},
	});
	teardown.add(async () => {
		await worker.close();
		await deliveries.close(GRACE_MS);
		await queue.close();
	});
}
