// Explains a failed start to the person at the terminal.

import {describePortHolder} from '../port-holder.js';
import {cureOf} from '../redis/refusal.js';

/** A server cannot listen where the settings say. */
class ListenError extends Error {
	override name = 'ListenError' as const;
}

/** Adds the variable that sets the port or the host to an error about them. */
export function listenError(error: unknown, port: number, variable: `${string}PORT`): unknown {
	const found = error as NodeJS.ErrnoException & {hostname?: string; address?: string};
	const host = found.hostname ?? found.address ?? '';
	switch (error instanceof Error && found.code) {
		case 'EADDRINUSE':
			return new ListenError(
				`Port ${port} (${variable}) is taken by ${describePortHolder(port)}. Stop it, or choose another port with ${variable}.`,
				{cause: error},
			);
		case 'EACCES':
			return new ListenError(
				`Port ${port} (${variable}): this user may not listen on it. Choose a port of at least 1024 with ${variable}, and put a reverse proxy in front of it.`,
				{cause: error},
			);
		case 'ENOTFOUND':
		case 'EAI_AGAIN':
		case 'EADDRNOTAVAIL':
		case 'EAFNOSUPPORT':
			return new ListenError(
				`${variable.replace(/PORT$/, 'HOST')}: expected an address of this machine, such as 127.0.0.1, 0.0.0.0 or ::1, found "${host}" (${found.code})`,
				{cause: error},
			);
		default:
			return error;
	}
}

const FOR_PEOPLE = new Set([
	'ConfigError',
	'IniError',
	'ListenError',
	'EmbeddedRedisError',
	'StoreError',
	'ReceiverStartError',
	'CommandError',
]);

/** The message of an error for people; of any other error, the whole stack. */
export function explain(error: unknown): string {
	if (!(error instanceof Error)) {
		return String(error);
	}

	if (error.name === 'ReplyError') {
		return `bothy: Redis (REDIS_URL) refused a command: ${error.message}. ${cureOf(error, '') ?? ''}`.trimEnd();
	}

	return FOR_PEOPLE.has(error.name) ? `bothy: ${error.message}` : (error.stack ?? error.message);
}
