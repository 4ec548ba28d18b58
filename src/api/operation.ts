// What one call of the service's REST API is: data of which the client makes a method, the realm a route and the
// terminal a command.

import {z} from 'zod';

/**
 * How a parameter stands on the wire (spec.md, convention 1).
 *
 * - `text`: a string as it is, never JSON.
 * - `json`: JSON text.
 * - `either`: a string as it is unless it would read as JSON, then quoted; everything else as JSON text.
 * - `file`: a file, which makes the form a multipart one.
 */
export type Encoding = 'text' | 'json' | 'either' | 'file';

/** One parameter of an operation, wherever it travels: path, query string or form body. */
export interface Parameter<Schema extends z.ZodType = z.ZodType, Required extends boolean = boolean> {
	readonly schema: Schema;
	readonly required: Required;
	readonly encoding: Encoding;
	/** One sentence on what it means. */
	readonly about: string;
	/** Feature level at which it came; absent when older than every server we speak to. */
	readonly since?: number;
	/** Values that came later than the parameter, by the level at which each came; an older server refuses them. */
	readonly valuesSince?: Readonly<Record<string, number>>;
	/** A server older than `since` may ignore it and no harm is done. Otherwise our client does not even ask such a server. */
	readonly ignorable?: true;
	/** Deprecated names that servers still read. */
	readonly aliases?: readonly string[];
	/** Its name on servers older than the level `until`. */
	readonly formerly?: {readonly name: string; readonly until: number};
	/** What the service takes when it is left out. */
	readonly default?: z.output<Schema>;
}

export type Parameters = Readonly<Record<string, Parameter>>;

/**
 * Who may call an operation: `anyone` needs no login; `public` are users, and whoever comes without login where the
 * organization has public access; `users` are humans and bots, `humans` no bots, `members` no guests, `bots` no
 * humans, `administrators` organization administrators and owners.
 */
export type Callers = 'anyone' | 'public' | 'users' | 'humans' | 'bots' | 'members' | 'administrators';

/** One operation as data. Parameters stand in the order in which the service checks them. */
export interface Operation<P extends Parameters = Parameters, R extends z.ZodType = z.ZodType> {
	readonly name: string;
	readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	/** Path below `/api/v1`; `{name}` stands for the path parameter of that name. */
	readonly path: string;
	readonly about: string;
	readonly callers: Callers;
	/** Feature level from which bots may call it; absent where `callers` says it all. */
	readonly botsSince?: number;
	readonly since?: number;
	/** Whether a call without an answer may be made again by itself: twice does what once does. Absent: a GET may. */
	readonly repeatable?: boolean;
	readonly parameters: P;
	/** The answer's own fields, without the envelope. Fields that the schema does not know pass. */
	readonly result: R;
}

type RequiredNames<P extends Parameters> = {[N in keyof P]: P[N]['required'] extends true ? N : never}[keyof P];

/** What a caller passes: required and optional parameters under their wire names. */
export type ParametersOf<O extends Operation> = {
	[N in RequiredNames<O['parameters']>]: z.input<O['parameters'][N]['schema']>;
} & {
	[N in Exclude<keyof O['parameters'], RequiredNames<O['parameters']>>]?:
		| z.input<O['parameters'][N]['schema']>
		| undefined;
};

/** What a successful call gives back. */
export type ResultOf<O extends Operation> = z.output<O['result']>;

/** Declares an operation, keeping the exact types of its parameters and result, and who may call it. */
export function operation<const P extends Parameters, R extends z.ZodType, C extends Callers>(
	declaration: Operation<P, R> & {readonly callers: C},
) {
	return declaration;
}

type Extras<Schema extends z.ZodType> = Partial<
	Pick<Parameter<Schema>, 'since' | 'valuesSince' | 'ignorable' | 'aliases' | 'formerly' | 'default' | 'encoding'>
>;

/** Declares a parameter that must be given. Strings travel as text, everything else as JSON, unless `extras` says so. */
export function required<S extends z.ZodType>(schema: S, about: string, extras: Extras<S> = {}): Parameter<S, true> {
	return {schema, about, required: true, encoding: usualEncoding(schema), ...extras};
}

/** Declares a parameter that may be left out; with a default the service never sees it absent. */
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

/** Writes one value as it stands in a query string or form body (spec.md, convention 1). */
export function encodeValue(value: unknown, encoding: Encoding): string {
	if (typeof value !== 'string' || encoding === 'json') {
		return JSON.stringify(value);
	}

	return encoding === 'either' && readsAsJson(value) ? JSON.stringify(value) : value;
}

function readsAsJson(text: string): boolean {
	// Most are names, and an error thrown costs as much as the rest of the call.
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

/** Names of the parameters that stand in an operation's path. */
export function pathParameters(path: string): string[] {
	return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
}
