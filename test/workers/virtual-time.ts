// Time that passes only while everything waits for it: an hour takes as long as the work in it.

interface Sleeper {
	readonly at: number;
	wake(): void;
}

export type VirtualTime = ReturnType<typeof createVirtualTime>;

export function createVirtualTime(start = Date.parse('2026-11-20T09:00:00Z')) {
	let nowMs = start;
	let sleepers: Sleeper[] = [];
	let atWork = 0;
	let resting: (() => void)[] = [];

	/** Resolves when no call is under way, and the work that follows the last one is done. */
	async function settle(): Promise<void> {
		await new Promise(setImmediate);
		while (atWork > 0) {
			await new Promise<void>(resolve => {
				resting.push(resolve);
			});
			await new Promise(setImmediate);
		}
	}

	return {
		now: () => nowMs,
		sleep: (ms: number, signal?: AbortSignal) =>
			new Promise<void>(resolve => {
				const wake = () => {
					sleepers = sleepers.filter(other => other !== sleeper);
					signal?.removeEventListener('abort', wake);
					resolve();
				};
				const sleeper = {at: nowMs + ms, wake};
				sleepers.push(sleeper);
				signal?.addEventListener('abort', wake);
			}),
		/** The same object, but time does not pass while one of its calls is under way. */
		holdDuring<Tool extends object>(tool: Tool): Tool {
			return new Proxy(tool, {
				get(target, name, receiver) {
					const member: unknown = Reflect.get(target, name, receiver);
					if (typeof member !== 'function') {
						return member;
					}

					return async (...words: unknown[]) => {
						atWork += 1;
						try {
							return await member.apply(target, words);
						} finally {
							atWork -= 1;
							if (atWork === 0) {
								for (const resume of resting) {
									resume();
								}

								resting = [];
							}
						}
					};
				},
			});
		},
		/** Lets this much time pass. */
		async pass(ms: number): Promise<void> {
			const end = nowMs + ms;
			for (;;) {
				await settle();
				const next = Math.min(...sleepers.map(({at}) => at));
				if (next > end) {
					nowMs = Math.max(nowMs, end);
					return;
				}

				nowMs = Math.max(nowMs, next);
				for (const {wake} of sleepers.filter(({at}) => at === next)) {
					wake();
				}
			}
		},
	};
}
