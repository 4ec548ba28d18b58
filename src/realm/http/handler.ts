// The type of handlers: a function from decoded parameters to the fields of the answer.

import type {Callers, OperationName, Operations, Parameter, ResultOf} from '../../api/index.js';
import type {z} from '../../api/zod.js';
import type {Account} from '../people/accounts.js';
import type {Services} from '../services.js';

type ParametersIn<N extends OperationName> = Operations[N]['parameters'];

type Value<P> =
	P extends Parameter<infer Schema>
		? P extends {readonly required: true} | {readonly default: unknown}
			? z.output<Schema>
			: z.output<Schema> | undefined
		: never;

/** Parameters in `Raw` are passed as text. */
type Decoded<N extends OperationName, Raw> = {
	readonly [K in keyof ParametersIn<N>]: K extends Raw ? string | undefined : Value<ParametersIn<N>[K]>;
};

/** Undefined if no login is needed. */
type CallerOf<C extends Callers> = C extends 'anyone' ? undefined : C extends 'public' ? Account | undefined : Account;

/** One call of an operation. */
export interface Call<N extends OperationName = OperationName, Raw = never> {
	readonly services: Services;
	readonly caller: CallerOf<Operations[N]['callers']>;
	readonly parameters: Decoded<N, Raw>;
	/** Name of the calling program. */
	readonly client: string;
	/** Aborts when the caller hangs up. */
	readonly gone: AbortSignal;
}

/** A handler in the form that the route calls, after decoding. */
export interface Handler<N extends OperationName = OperationName> {
	readonly operation: N;
	readonly raw: readonly string[];
	readonly mayLack: readonly string[];
	answer(call: UntypedCall): object | Promise<object>;
}

export interface UntypedCall {
	readonly services: Services;
	readonly caller: Account | undefined;
	readonly parameters: Readonly<Record<string, unknown>>;
	readonly client: string;
	readonly gone: AbortSignal;
}

/**
 * Declares the handler of one operation. `raw` names parameters that it reads itself, and `mayLack` those of them that it
 * misses in its own words.
 */
export function handler<N extends OperationName, const Raw extends keyof ParametersIn<N> & string = never>(
	operation: N,
	answer: (call: Call<N, Raw>) => ResultOf<Operations[N]> | Promise<ResultOf<Operations[N]>>,
	raw: readonly Raw[] = [],
	mayLack: readonly Raw[] = [],
): Handler<N> {
	// The route decodes by the table that the types come from, and leaves `raw` alone: its calls fit.
	return {operation, raw, mayLack, answer: call => answer(call as unknown as Call<N, Raw>)};
}
