// What people at the terminal read when a start fails.

import {describePortHolder} from '../port-holder.js';
import {cureOf} from '../redis/refusal.js';

/** A port that we wanted is taken. */
class PortTakenError extends Error {
	override name = 'PortTakenError' as const;

	constructor(port: number, variable: string, options: {cause: unknown}) {
		super(
			`Port ${port} (${variable}) is taken by ${describePortHolder(port)}. Stop it, or choose another port with ${variable}.`,
			options,
		);
	}
}

/** Names the variable that chooses the port where an error says that it is taken. */
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

/** The text of an error that was made for people, the whole stack of any other. */
export function explain(error: unknown): string {
	if (!(error instanceof Error)) {
		return String(error);
	}

	if (error.name === 'ReplyError') {
		return `bothy: Redis (REDIS_URL) refused a command: ${error.message}. ${cureOf(error, '') ?? ''}`.trimEnd();
	}

	return FOR_PEOPLE.has(error.name) ? `bothy: ${error.message}` : (error.stack ?? error.message);
}
