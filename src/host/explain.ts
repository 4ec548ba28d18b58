// Explains a failed start to the person at the terminal.

import {describePortHolder} from '../port-holder.js';
import {cureOf} from '../redis/refusal.js';

/** A port is taken. */
class PortTakenError extends Error {
	override name = 'PortTakenError' as const;

	constructor(port: number, variable: string, options: {cause: unknown}) {
		super(
			`Port ${port} (${variable}) is taken by ${describePortHolder(port)}. Stop it, or choose another port with ${variable}.`,
			options,
		);
	}
}

/** Adds the variable that sets the port to an error about a taken port. */
export function portError(error: unknown, port: number, variable: string): unknown {
	return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
		? new PortTakenError(port, variable, {cause: error})
		: error;
}

const FOR_PEOPLE = new Set([
	'ConfigError',
	'IniError',
	'PortTakenError',
	'EmbeddedRedisError',
	'StoreError',
	'ReceiverStartError',
	'CommandError',
]);

/** The message of an error that is meant for people; otherwise the whole stack. */
export function explain(error: unknown): string {
	if (!(error instanceof Error)) {
		return String(error);
	}

	if (error.name === 'ReplyError') {
		return `bothy: Redis (REDIS_URL) refused a command: ${error.message}. ${cureOf(error, '') ?? ''}`.trimEnd();
	}

	return FOR_PEOPLE.has(error.name) ? `bothy: ${error.message}` : (error.stack ?? error.message);
}
