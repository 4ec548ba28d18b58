// Describes one call of the service's REST API as data. It becomes a method of the client, a route of the realm and a
// command of the terminal.

import {z} from './zod.js';

/**
 * The encoding of a parameter on the wire (spec.md, convention 1).
 *
 * - `text`: an unchanged string, never JSON.
 * - `json`: JSON text.
 * - `either`: a string is sent unchanged unless it would parse as JSON, then quoted; everything else as JSON text.
 * - `file`: a file, which makes the form multipart.
 */
export type Encoding = 'text' | 'json' | 'either' | 'file';

/** One parameter of an operation, in its path, query string or form body. */
export interface Parameter<Schema extends z.ZodType = z.ZodType, Required extends boolean = boolean> {
	readonly schema: Schema;
	readonly required: Required;
	readonly encoding: Encoding;
	/** One sentence on what it means. */
	readonly about: string;
	/** Feature level that added it. Absent if every server that we support has it. */
	readonly since?: number;
	/** Values that were added after the parameter, with the level of each. An older server refuses them. */
	readonly valuesSince?: Readonly<Record<string, number>>;
	/** It is harmless if a server older than `since` ignores it. Without this, our client does not call such a server. */
	readonly ignorable?: true;
	/** Deprecated names that servers still accept. */
	readonly aliases?: readonly string[];
	/** Its name on servers older than the level `until`. */
	readonly formerly?: {readonly name: string; readonly until: number};
	/** The service's value if it is left out. */
	readonly default?: z.output<Schema>;
}

export type Parameters = Readonly<Record<string, Parameter>>;

/**
 * Who may call an operation: `anyone` needs no login; `public` are users, and clients without login if the
 * organization has public access; `users` are humans and bots, `humans` no bots, `members` no guests, `bots` no
 * humans, `administrators` organization administrators and owners.
 */
export type Callers = 'anyone' | 'public' | 'users' | 'humans' | 'bots' | 'members' | 'administrators';

/** One operation as data. Its parameters have the order in which the service checks them. */
export interface Operation<P extends Parameters = Parameters, R extends z.ZodType = z.ZodType> {
	readonly name: string;
	readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	/** Path below `/api/v1`; `{name}` is replaced by the path parameter of that name. */
	readonly path: string;
	readonly about: string;
	readonly callers: Callers;
	/** Feature level from which bots may call it. Absent if `callers` is enough. */
	readonly botsSince?: number;
	readonly since?: number;
	/** Whether a call without an answer may be retried automatically: two calls have the effect of one. Default: true for a GET. */
	readonly repeatable?: boolean;
	readonly parameters: P;
	/** Servers older than the level check these first, in this order. */
	readonly orderBefore?: {readonly level: number; readonly first: readonly string[]};
	/** The answer's own fields, without the envelope. Unknown fields pass. */
	readonly result: R;
}

type RequiredNames<P extends Parameters> = {[N in keyof P]: P[N]['required'] extends true ? N : never}[keyof P];

/** What a caller passes: required and optional parameters by their wire names. */
export type ParametersOf<O extends Operation> = {
	[N in RequiredNames<O['parameters']>]: z.input<O['parameters'][N]['schema']>;
} & {
	[N in Exclude<keyof O['parameters'], RequiredNames<O['parameters']>>]?:
		| z.input<O['parameters'][N]['schema']>
		| undefined;
};

/** What a successful call returns. */
export type ResultOf<O extends Operation> = z.output<O['result']>;

/** Declares an operation. Keeps the exact types of its parameters and result, and of its callers. */
export function operation<const P extends Parameters, R extends z.ZodType, C extends Callers>(
	declaration: Operation<P, R> & {readonly callers: C},
) {
	return declaration;
}

type Extras<Schema extends z.ZodType> = Partial<
	Pick<Parameter<Schema>, 'since' | 'valuesSince' | 'ignorable' | 'aliases' | 'formerly' | 'default' | 'encoding'>
>;

/** Declares a required parameter. Strings travel as text, everything else as JSON, unless `extras` says otherwise. */
export function required<S extends z.ZodType>(schema: S, about: string, extras: Extras<S> = {}): Parameter<S, true> {
	return {schema, about, required: true, encoding: usualEncoding(schema), ...extras};
}

/** Declares an optional parameter. With a default, the service always sees a value. */
export function optional<S extends z.ZodType>(
	schema: S,
	about: string,
	extras: Extras<S> & {default: z.output<S>},
): Parameter<S, false> & {readonly default: z.output<S>};
export function optional<S extends z.ZodType>(schema: S, about: string, extras?: Extras<S>): Parameter<S, false>;
export function optional<S extends z.ZodType>(schema: S, about: string, extras: Extras<S> = {}): Parameter<S, false> {
	return {schema, about, required: false, encoding: usualEncoding(schema), ...extras};
}

function usualEncoding(schema: z.ZodType): Encoding {
	if (schema instanceof z.ZodFile) {
		return 'file';
	}

	const isText = schema instanceof z.ZodString || schema instanceof z.ZodEnum;
	return isText ? 'text' : 'json';
}

/** Encodes one value for a query string or form body (spec.md, convention 1). */
export function encodeValue(value: unknown, encoding: Encoding): string {
	if (typeof value !== 'string' || encoding === 'json') {
		return JSON.stringify(value);
	}

	return encoding === 'either' && readsAsJson(value) ? JSON.stringify(value) : value;
}

function readsAsJson(text: string): boolean {
	// Most strings are names, and a thrown error costs as much as the rest of the call.
	if (!/^\s*(?:["[{\d-]|true|false|null)/.test(text)) {
		return false;
	}

	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}

/** Names of the parameters in an operation's path. */
export function pathParameters(path: string): string[] {
	return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
}
