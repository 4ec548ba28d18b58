// What the primary and its receivers say to each other. After an update a receiver may be newer than its primary, so
// each side lets pass what it does not know.

import {z} from 'zod';

/** Makes a receiver's process the one that runs deliveries again: all of them, or the one whose job it holds. */
export const RERUNS = 'BOTHY_RERUNS';
export const ALL_RERUNS = 'all';

/** How a process that runs one delivery for the last time is named in leases. */
export const LAST_RUN = 'BOTHY_LAST_RUN';

/** Set where a plugin that an account names and that cannot be loaded stops the start. */
export const STRICT = 'BOTHY_STRICT';

/** Set for a receiver that is to load all that it can and to begin when it is told to. */
export const WAITS = 'BOTHY_WAITS';

/** Names of plugins. */
const Needs = z.object({administrators: z.array(z.string()).readonly(), polled: z.array(z.string()).readonly()});
export type Needs = z.infer<typeof Needs>;

export const FromReceiver = z.discriminatedUnion('kind', [
	z.object({kind: z.literal('ready'), url: z.string()}),
	/** What its bots need of their accounts, before it is ready, where a local realm has to know. */
	z.object({kind: z.literal('needs'), needs: Needs}),
	z.object({kind: z.literal('failed'), message: z.string()}),
	/** The answer to `metrics`: what prom-client gives, which the primary adds up. */
	z.object({kind: z.literal('metrics'), metrics: z.array(z.unknown())}),
]);
export type FromReceiver = z.infer<typeof FromReceiver>;

export const FromPrimary = z.discriminatedUnion('kind', [
	/** The receiver with this id is gone: its leases need not be waited for. */
	z.object({kind: z.literal('dead'), process: z.string()}),
	/** To a receiver that waits beside another one: its turn has come. */
	z.object({kind: z.literal('start')}),
	z.object({kind: z.literal('drain')}),
	/** Asks a receiver for its metrics. */
	z.object({kind: z.literal('metrics')}),
]);
export type FromPrimary = z.infer<typeof FromPrimary>;
