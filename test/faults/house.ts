// Everything that a run needs: realm, Redis, proxies, hosts and a worker, as real processes.

import {join} from 'node:path';
import {freePort} from '../helpers/free-port.js';
import {listenForSteps} from './fault-steps.js';
import {openLedger} from './ledger.js';
import type {Planned} from './plan.js';
import {type Kept, keep, settingsOf} from './processes.js';
import {createReaper} from './reaper.js';
import {startRealmService} from './service.js';
import type {BrokenScripts} from './trouble/broken-scripts.js';
import {startFailingRedis} from './trouble/outages.js';
import {type ReceiverProxy, startReceiverProxy} from './trouble/receiver-proxy.js';
import {type RedisProxy, startRedisProxy} from './trouble/redis-proxy.js';
import {startWitness} from './witness.js';

const NAMES = ['quick', 'slow', 'chatty', 'after', 'mortal', 'fickle'];

export interface HouseSize {
	readonly hosts: number;
	readonly receiversPerHost: number;
	readonly workers: number;
	/** Stands in for the realm where that would be too slow. */
	readonly hasWitness: boolean;
}

interface HouseOptions {
	readonly folder: string;
	readonly size: HouseSize;
	readonly plan: readonly Planned[];
	readonly broken: BrokenScripts;
}

export type House = Awaited<ReturnType<typeof openHouse>>;

export async function openHouse({folder, size, plan, broken}: HouseOptions) {
	const redis = await startFailingRedis(folder);
	const service = size.hasWitness ? await startWitness() : await startRealmService(folder);
	const hosts: (Kept & {port: number})[] = [];
	const cutsOf = new Map(plan.map(({token, cuts}) => [token, cuts]));
	const proxy: ReceiverProxy = await startReceiverProxy({
		receivers: () => hosts.filter(({isUp}) => isUp).map(({port}) => port),
		cutOf: (token, attempt) => cutsOf.get(token)?.[attempt - 1],
	});
	const reaper = createReaper({hosts, proxy: () => proxy});
	const redisProxy: RedisProxy = await startRedisProxy({
		redisPort: redis.port,
		replaced: broken.replaced,
		kill: port => reaper.killPeer(port, 'step'),
		mayKill: port => reaper.mayKillPeer(port),
	});
	const strikes = await listenForSteps(reaper);

	const accounts = NAMES.map(name => service.account(name, `${proxy.url}/webhook`));
	const ledger = await openLedger(redisProxy.url, {accounts, broken});
	const env = {...settingsOf({accounts, folder, redisUrl: redisProxy.url}), FAULTS_URL: strikes.url};
	for (let index = 0; index < size.hosts; index++) {
		const port = await freePort();
		const logFile = join(folder, `web-${index}.log`);
		const concurrency = {WEB_CONCURRENCY: String(size.receiversPerHost)};
		const webEnv = {...env, ...concurrency, PORT: String(port)};
		const host = keep({command: 'web', env: webEnv, logFile});
		hosts.push(Object.defineProperty(host, 'port', {value: port}) as Kept & {port: number});
	}

	const workers = Array.from({length: size.workers}, (_, index) =>
		keep({command: 'worker', env, logFile: join(folder, `worker-${index}.log`)}),
	);
	await Promise.all([...hosts, ...workers].map(process => process.up()));

	return {
		service,
		redis,
		proxy,
		redisProxy,
		reaper,
		ledger,
		accounts,
		hosts,
		workers,
		async close() {
			await Promise.all([...hosts, ...workers].map(process => process.stop()));
			await service.close();
			await proxy.close();
			await redisProxy.close();
			await strikes.close();
			ledger.close();
			await redis.stop();
		},
	};
}
