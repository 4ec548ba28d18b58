// What an optional parameter does: two values of it, and what somebody else sees after each.

import type {OperationName, Operations, ParametersOf} from '../../../src/api/index.js';
import {ApiError} from '../../../src/client/errors.js';
import type {World} from './world.js';

export type Given<N extends OperationName> = ParametersOf<Operations[N]>;

type OptionalNames<P> = {[N in keyof P]-?: Record<never, never> extends Pick<P, N> ? N : never}[keyof P];
type Optional<N extends OperationName> = Pick<Given<N>, OptionalNames<Given<N>>>;
type Two<Value> = readonly [Value, Value];
type Rows<Parameters> = {
	readonly [P in keyof Parameters]?: Two<Parameters[P]> | readonly [...Two<Parameters[P]>, ...Two<unknown>];
};

export interface Effect {
	readonly operation: OperationName;
	readonly parameter: string;
	readonly values: Two<unknown>;
	/** Calls with one of the values, and looks through another endpoint, account or event. */
	outcome(world: World, value: unknown): Promise<unknown>;
	/** What is seen then, for each value. */
	readonly expected: readonly unknown[];
}

/**
 * Effects that are observed in the same way. For each parameter: two values (`undefined` omits it), and the result of
 * `outcome` for each, unless that is the value itself.
 */
export function effects<N extends OperationName>(
	operation: N,
	rows: Rows<Optional<N>>,
	outcome: (world: World, given: Optional<N>) => Promise<unknown>,
): Effect[] {
	// Each row was checked against its own parameter above.
	const checked = Object.entries(rows) as [string, readonly [unknown, unknown, ...unknown[]]][];
	return checked.map(([parameter, [first, second, ...seen]]) => ({
		operation,
		parameter,
		values: [first, second],
		outcome: (world, value) => outcome(world, {[parameter]: value} as Optional<N>),
		expected: seen.length > 0 ? seen : [first, second],
	}));
}

/** Waits for a call that the service may refuse, where the refusal is the effect. */
export async function unlessRefused(call: Promise<unknown>): Promise<void> {
	try {
		await call;
	} catch (error) {
		if (!(error instanceof ApiError)) {
			throw error;
		}
	}
}
