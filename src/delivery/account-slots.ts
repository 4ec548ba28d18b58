// Limits how many handlers of one account run concurrently in this process. The others wait for a slot.

export interface AccountSlots<Owner> {
	/** Resolves when a slot is free. */
	enter(owner: Owner, most: number): Promise<void>;
	leave(owner: Owner): void;
}

export function createAccountSlots<Owner>(): AccountSlots<Owner> {
	const waiting = new Map<Owner, (() => void)[]>();
	const busy = new Map<Owner, number>();
	return {
		async enter(owner, most) {
			const count = busy.get(owner) ?? 0;
			if (count < most) {
				busy.set(owner, count + 1);
				return;
			}

			await new Promise<void>(resolve => {
				const queue = waiting.get(owner) ?? [];
				queue.push(resolve);
				waiting.set(owner, queue);
			});
		},
		leave(owner) {
			const next = waiting.get(owner)?.shift();
			if (next) {
				next();
				return;
			}

			busy.set(owner, (busy.get(owner) ?? 1) - 1);
		},
	};
}
