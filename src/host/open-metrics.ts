// Which metrics a process serves: its own, those of its receivers, and what all hosts share in Redis.

import type {Account} from '../config/accounts.js';
import type {Host} from './connections.js';
import type {Snapshot} from './metrics.js';
import type {Primary} from './processes/primary.js';

export interface MetricsParts {
	/** The receivers of this process. */
	readonly primary?: Primary;
	/** Where what stands in Redis is shown as well. */
	readonly stored?: {readonly redisUrl: string; readonly accounts: readonly Account[]};
}

/** Serves `/metrics` where METRICS_PORT is set; gives its address. */
export async function openMetrics(host: Host, {primary, stored}: MetricsParts): Promise<string | undefined> {
	if (host.settings.METRICS_PORT === '') {
		return undefined;
	}

	// Loaded only where somebody reads them.
	const [{createMetrics}, {openMetricsServer}] = await Promise.all([
		import('./metrics.js'),
		import('./metrics-server.js'),
	]);
	const metrics = createMetrics();
	host.teardown.add(async () => metrics.close());
	const refresh = stored && (await import('./stored-metrics.js')).addStoredMetrics(metrics.registry, host, stored);
	return openMetricsServer(host, [
		async () => {
			await refresh?.();
			return [await metrics.snapshot()];
		},
		// What a receiver sends is what its prom-client gave it.
		async () => ((await primary?.metrics()) ?? []) as readonly Snapshot[],
	]);
}
