// Starts the receivers of a host: processes that share one socket.

import {fileURLToPath} from 'node:url';
import {DEV, type Host} from '../connections.js';
import {listenError} from '../explain.js';
import type {BotReport} from '../playground/bot-report.js';
import {CLOSING_MS, GRACE_MS} from '../run.js';
import {packageFolder} from '../version.js';
import {INSPECT} from './debugging.js';
import {listenTarget} from './listening-socket.js';
import {openPrimary, type Primary} from './primary.js';
import {ALL_RERUNS, type Needs, RERUNS} from './primary-messages.js';

interface ReceiversConnections {
	/** The receivers load their code while it is awaited. */
	readonly redisUrl: string | Promise<string>;
	/** Additional environment of the receivers. */
	readonly env?: NodeJS.ProcessEnv;
	/** Number of receivers, without the process for background deliveries. Default: WEB_CONCURRENCY. */
	readonly count?: number;
	/** Whether SIGHUP replaces them one by one. Default true. */
	readonly rollsOnHangUp?: boolean;
	onNeeds?(needs: Needs): void;
	onBots?(bots: BotReport[]): void;
}

export async function openReceivers(
	{settings, log, teardown}: Host,
	connections: ReceiversConnections,
): Promise<Primary> {
	const {redisUrl, env, count = settings.WEB_CONCURRENCY, rollsOnHangUp = true, onNeeds, onBots} = connections;
	const isDev = process.env[DEV] !== undefined;
	try {
		const primary = await openPrimary({
			count,
			exec: fileURLToPath(new URL('dist/src/cli.js', packageFolder)),
			args: ['receiver'],
			besides: env?.[INSPECT] === undefined ? [{[RERUNS]: ALL_RERUNS}] : [],
			// Bots run there: they are not to have the operator's token.
			env: {...process.env, ADMIN_TOKEN: undefined, ADMIN_TOKEN_FILE: undefined, ...env},
			lateEnv: Promise.resolve(redisUrl).then(url => ({REDIS_URL: url})),
			...(count > 0 && {listen: listenTarget(process.env, {host: settings.HOST, port: settings.PORT})}),
			// In development, receivers are replaced at every save.
			log: {
				info: (fields, message) => log[isDev ? 'debug' : 'info'](fields, message),
				warn: (fields, message) => log.warn(fields, message),
				error: (fields, message) => log.error(fields, message),
			},
			graceMs: GRACE_MS + CLOSING_MS,
			spares: isDev,
			...(onNeeds && {onNeeds}),
			...(onBots && {onBots}),
		});
		// Before the start, so that a signal during it drains what is ready already, and ends nothing else.
		teardown.add(
			() => primary.close(),
			() => primary.isServing,
		);
		const roll = () =>
			primary
				.roll()
				.then(() => log.info({}, 'reloaded'))
				.catch((error: Error) =>
					log.error({reason: error.message}, 'could not replace the receivers; the old ones keep running'),
				);
		if (rollsOnHangUp) {
			process.on('SIGHUP', roll);
		}

		await primary.start();
		return primary;
	} catch (error) {
		throw listenError(error, settings.PORT, 'PORT');
	}
}
