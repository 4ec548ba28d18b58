// Job queues in memory. A delayed job runs when a test moves the clock.

import {TryLater} from '../queue/define-worker.js';

export interface JobsOptions {
	/** Milliseconds since 1970. */
	now(): number;
	/** Gets the errors of jobs. */
	report(error: unknown): void;
}

/** Runs jobs. Jobs of one name run one after the other. */
export function createJobs({now, report}: JobsOptions) {
	const running = new Map<string, Promise<void>>();
	const delayed = new Map<string, {readonly at: number; start(): unknown}>();

	function later(id: string, delayMs: number, start: () => unknown): void {
		delayed.set(id, {at: now() + delayMs, start});
	}

	function start(name: string, run: () => Promise<unknown>): void {
		const line = (running.get(name) ?? Promise.resolve())
			.then(run)
			.then(
				() => {},
				(error: unknown) => {
					if (error instanceof TryLater) {
						later(name, error.delayMs, () => start(name, run));
					} else {
						report(error);
					}
				},
			)
			.finally(() => {
				if (running.get(name) === line) {
					running.delete(name);
				}
			});
		running.set(name, line);
	}

	return {
		start,
		later,
		isBusy: () => running.size > 0,
		ended: async (name: string) => running.get(name),
		async idle(): Promise<void> {
			while (running.size > 0) {
				await Promise.all(running.values());
			}
		},
		next: () => Math.min(...[...delayed.values()].map(({at}) => at)),
		startDue(): void {
			const due = [...delayed].filter(([, {at}]) => at <= now()).toSorted(([, a], [, b]) => a.at - b.at);
			for (const [id, {start}] of due) {
				delayed.delete(id);
				start();
			}
		},
	};
}
