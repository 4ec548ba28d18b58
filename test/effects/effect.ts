// How the effect of a parameter is told: two values, and what somebody else then sees.

import type {OperationName, Operations, ParametersOf} from '../../src/api/index.js';
import type {World} from './world.js';

export interface Effect<Value> {
	/** Two values; `undefined` leaves the parameter out. */
	readonly values: readonly [Value, Value];
	/** Calls with one of them in a realm of its own, and looks through another endpoint, account or event. */
	readonly outcome: (world: World, value: Value) => Promise<unknown>;
	/** What is seen then, for each value. */
	readonly expected: readonly [unknown, unknown];
}

type OptionalNames<P> = {[N in keyof P]-?: Record<never, never> extends Pick<P, N> ? N : never}[keyof P];

/** The effects of the optional parameters of each operation. */
export type Effects = {
	readonly [N in OperationName]?: {
		readonly [P in OptionalNames<ParametersOf<Operations[N]>>]?: Effect<ParametersOf<Operations[N]>[P]>;
	};
};
