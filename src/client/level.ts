// Older servers ignore parameters that they do not know. If that would change what a call does, the client asks for the
// server's level, and does not make the call if the server is too old.

import type {Operation, Parameter} from '../api/index.js';
import {ApiError} from './errors.js';

/** The oldest feature level that we expect. Nothing older needs a check. */
const OLDEST = 168;

/** How long a level stays valid without a new answer. */
const HOLDS_MS = 3_600_000;

/** The known feature level of one server. */
export interface Level {
	/** Undefined if it must be requested. */
	known(): number | undefined;
	/** Records the level that the server named. */
	note(level: number): void;
}

export function createLevel(given?: number): Level {
	let level = given;
	let until = performance.now() + HOLDS_MS;
	return {
		known: () => (performance.now() < until ? level : undefined),
		note(found) {
			level = found;
			until = performance.now() + HOLDS_MS;
		},
	};
}

export interface LevelCheck {
	/** Whether the call depends on the server's level. */
	concerns(parameters: Readonly<Record<string, unknown>>): boolean;
	/** Throws if a server of this level would not do what the call requests. */
	check(parameters: Readonly<Record<string, unknown>>, level: number): void;
}

export function createLevelCheck({name: operation, since = 0, parameters: declared}: Operation): LevelCheck {
	const young = Object.entries(declared).filter(
		([, {since = 0, formerly, ignorable}]) => !ignorable && (since > OLDEST || (formerly?.until ?? 0) > OLDEST),
	);
	const matters = (given: Readonly<Record<string, unknown>>) =>
		young.filter(([name, parameter]) => given[name] !== undefined && !isDefault(given[name], parameter));

	return {
		concerns: given => since > OLDEST || (young.length > 0 && matters(given).length > 0),
		check(given, level) {
			const newer = matters(given).find(([, parameter]) => (parameter.since ?? 0) > level);
			if (since > level) {
				throw unsupported(operation, 'it', {needs: since, found: level});
			}

			if (newer) {
				throw unsupported(operation, `\`${newer[0]}\``, {needs: newer[1].since ?? 0, found: level});
			}
		},
	};
}

/** Leaving it out then changes nothing. */
function isDefault(value: unknown, parameter: Parameter): boolean {
	return parameter.default !== undefined && JSON.stringify(value) === JSON.stringify(parameter.default);
}

function unsupported(operation: string, what: string, {needs, found}: {needs: number; found: number}): ApiError {
	const reason = `${what} needs a server of feature level ${needs}, this one has ${found}`;
	return new ApiError(operation, 'UNSUPPORTED_BY_SERVER', 400, reason, {needs, found});
}
