// Counts the metrics of one process from its diagnostics events. metrics-server.ts adds up the receivers of a `web`.

import {
	AggregatorRegistry,
	Counter,
	collectDefaultMetrics,
	Gauge,
	Histogram,
	type MetricObjectWithValues,
	type MetricValue,
	Registry,
} from 'prom-client';
import {version} from '../version.js';
import {publish, subscribe} from './diagnostics.js';

/** The metrics of a process as data that can be sent to another process. */
export type Snapshot = readonly MetricObjectWithValues<MetricValue<string>>[];

export interface Metrics {
	readonly registry: Registry;
	snapshot(): Promise<Snapshot>;
	close(): void;
}

const SECONDS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 6, 8, 10];
const LONG_SECONDS = [0.05, 0.25, 1, 5, 30, 60, 300, 1_800, 7_200];

const GAUGES = {
	waiting_room: {
		name: 'bothy_waiting_room_deliveries',
		help: 'Deliveries that wait in a receiver until Redis accepts them',
	},
	redis_up: {name: 'bothy_redis_up', help: '1 if every receiver reaches Redis', aggregator: 'min'},
} as const;

export function createMetrics(): Metrics {
	const registry = new Registry();
	const registers = [registry];
	collectDefaultMetrics({register: registry});
	const deliveries = new Counter({
		name: 'bothy_deliveries_total',
		help: 'Deliveries by bot, trigger, outcome (done, failed, flood, parked, repeat) and answer (inline, late, none)',
		labelNames: ['bot', 'trigger', 'outcome', 'answer'],
		registers,
	});
	const answers = new Histogram({
		name: 'bothy_answer_seconds',
		help: 'Time from the first byte of a webhook to its answer; the service waits 10 s',
		labelNames: ['bot'],
		buckets: SECONDS,
		registers,
	});
	const handlers = new Histogram({
		name: 'bothy_handler_seconds',
		help: 'Time that a handler took',
		labelNames: ['bot', 'trigger'],
		buckets: [...SECONDS, 30, 60, 300],
		registers,
	});
	const refusals = new Counter({
		name: 'bothy_refused_webhooks_total',
		help: 'Webhooks that were refused, by bot and reason (unknown_bot, wrong_token)',
		labelNames: ['bot', 'reason'],
		registers,
	});
	const sends = new Counter({
		name: 'bothy_sends_total',
		help: 'Attempts to post by outcome (sent, scheduled, retrying, waiting, failed, unknown, cancelled)',
		labelNames: ['bot', 'outcome'],
		registers,
	});
	const lateness = new Histogram({
		name: 'bothy_send_lateness_seconds',
		help: 'How long after its set time a message was posted',
		labelNames: ['bot'],
		buckets: LONG_SECONDS,
		registers,
	});
	const pauses = new Counter({
		name: 'bothy_rate_limit_pauses_total',
		help: 'Times that the service asked an account to wait (429)',
		labelNames: ['bot'],
		registers,
	});
	/** Created with the first value, because a process without one would report 0. */
	const gauges = new Map<string, Gauge>();
	function set(name: keyof typeof GAUGES, value: number): void {
		const gauge = gauges.get(name) ?? new Gauge({...GAUGES[name], registers});
		gauges.set(name, gauge);
		gauge.set(value);
	}

	new Gauge({
		name: 'bothy_build_info',
		help: '1, with the version of Bothy and of Node',
		labelNames: ['version', 'node'],
		aggregator: 'first',
		registers,
	}).set({version, node: process.version}, 1);

	const endings = [
		subscribe('delivery', ({bot, trigger, outcome, answer}) => deliveries.inc({bot, trigger, outcome, answer})),
		subscribe('answer', ({bot, ms}) => answers.observe({bot}, ms / 1000)),
		subscribe('handler', ({bot, trigger, ms}) => handlers.observe({bot, trigger}, ms / 1000)),
		subscribe('refusal', ({bot, reason}) => refusals.inc({bot, reason})),
		subscribe('send', ({bot, outcome, lateMs}) => {
			sends.inc({bot, outcome});
			if (lateMs !== undefined) {
				lateness.observe({bot}, lateMs / 1000);
			}
		}),
		subscribe('pause', ({bot}) => pauses.inc({bot})),
	];
	return {
		registry,
		snapshot() {
			publish('collect', {set});
			return registry.getMetricsAsJSON();
		},
		close() {
			for (const end of endings) {
				end();
			}
		},
	};
}

/** The text for Prometheus: the sum over several processes. */
export async function exposition(snapshots: readonly Snapshot[]): Promise<string> {
	// The type is for messages of node:cluster, which have the same shape.
	return AggregatorRegistry.aggregate(snapshots as unknown as object[]).metrics();
}
