// Chooses the metrics that a process serves: its own, those of its receivers, and the shared ones in Redis.

import type {Account} from '../../config/accounts.js';
import type {Host} from '../connections.js';
import type {Primary} from '../processes/primary.js';
import type {Snapshot} from './metrics.js';

export interface MetricsParts {
	/** The receivers of this process. */
	readonly primary?: Primary;
	/** Where the shared metrics in Redis are served too. */
	readonly stored?: {readonly redisUrl: string; readonly accounts: readonly Account[]};
}

/** Serves `/metrics` if METRICS_PORT is set. Resolves with the address. */
export async function openMetrics(host: Host, {primary, stored}: MetricsParts): Promise<string | undefined> {
	if (host.settings.METRICS_PORT === '') {
		return undefined;
	}

	// Loaded only if needed.
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
		// The receiver's prom-client made these objects.
		async () => ((await primary?.metrics()) ?? []) as readonly Snapshot[],
	]);
}
