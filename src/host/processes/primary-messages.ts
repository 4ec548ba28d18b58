// The messages between the primary and its receivers. After an update, a receiver may be newer than its primary, so each side
// ignores what it does not know.

import {z} from '../../api/zod.js';
import {BotReport} from '../playground/bot-report.js';

/** Makes the process run background deliveries: all of them, or the one whose job is the value. */
export const RERUNS = 'BOTHY_RERUNS';
export const ALL_RERUNS = 'all';

/** The name in leases of a process that makes the last run of a delivery. */
export const LAST_RUN = 'BOTHY_LAST_RUN';

/** If set, an account's plugin that fails to load stops the start. */
export const STRICT = 'BOTHY_STRICT';

/** If set, the process of background deliveries also checks Redis and the accounts. */
export const CHECKS = 'BOTHY_CHECKS';

/** Set for a receiver that waits: it loads everything but the bots, then waits for the message to start. */
export const WAITS = 'BOTHY_WAITS';

/** Names of plugins. */
const Needs = z.object({administrators: z.array(z.string()).readonly(), polled: z.array(z.string()).readonly()});
export type Needs = z.infer<typeof Needs>;

export const FromReceiver = z.discriminatedUnion('kind', [
	z.object({kind: z.literal('ready'), url: z.string()}),
	/** What its bots need of their accounts. Sent before `ready`, for a local realm. */
	z.object({kind: z.literal('needs'), needs: Needs}),
	/** What there is to tell of its bots. Sent before `ready`, for the chat page of a local realm. */
	z.object({kind: z.literal('bots'), bots: z.array(BotReport)}),
	z.object({kind: z.literal('failed'), message: z.string()}),
	/** The answer to `metrics`: objects of prom-client, which the primary adds up. */
	z.object({kind: z.literal('metrics'), metrics: z.array(z.unknown())}),
]);
export type FromReceiver = z.infer<typeof FromReceiver>;

export const FromPrimary = z.discriminatedUnion('kind', [
	/** The receiver with this ID is dead, so its leases are free. */
	z.object({kind: z.literal('dead'), process: z.string()}),
	/** Tells a waiting receiver to start, with environment that was not known when it was launched. */
	z.object({kind: z.literal('start'), env: z.record(z.string(), z.string()).optional()}),
	z.object({kind: z.literal('drain')}),
	/** Asks a receiver for its metrics. */
	z.object({kind: z.literal('metrics')}),
]);
export type FromPrimary = z.infer<typeof FromPrimary>;
