// Since when Redis is away, and what to say of its errors.

import {isOutage} from '../redis/availability.js';

export interface Outage {
	/** Milliseconds since 1970. Undefined while Redis answers. */
	readonly since: number | undefined;
	begin(): void;
	end(): void;
}

export function createOutage(now = Date.now): Outage {
	let since: number | undefined;
	return {
		get since() {
			return since;
		},
		begin() {
			since ??= now();
		},
		end() {
			since = undefined;
		},
	};
}

const LONGEST_REASON = 300;

/** `away`: no answer. `refused`: Redis answered that it will not. Undefined for an error that is not of Redis. */
export function troubleOf(error: unknown): {kind: 'away' | 'refused'; text: string} | undefined {
	if (error instanceof Error && error.name === 'ReplyError') {
		return {kind: 'refused', text: `Redis refused a command: ${error.message.slice(0, LONGEST_REASON)}`};
	}

	return isOutage(error) ? {kind: 'away', text: 'Redis does not answer.'} : undefined;
}
