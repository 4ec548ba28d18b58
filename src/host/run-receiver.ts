// Opens one receiver process. It loads only its own part, because there are several of them.

import {randomUUID} from 'node:crypto';
import {readAccounts} from '../config/accounts.js';
import {readSettings} from '../config/settings.js';
import {createLog} from '../log.js';
import {prepareTypeScript} from '../plugins/import-plugin.js';
import {assignBots, loadForward} from './bots.js';
import {openAccountChecks} from './checks/account-checks.js';
import {openClients} from './clients.js';
import {DEV, openPlugins} from './connections.js';
import {needsOf} from './local-realm.js';
import {reportBots} from './playground/report-bots.js';
import {printBrokenBots, printProblems} from './print.js';
import {DEBUGGED_TIMEOUT_MS, INSPECT, openDebugger} from './processes/debugging.js';
import {joinPrimary} from './processes/join-primary.js';
import {listenTarget} from './processes/listening-socket.js';
import {ALL_RERUNS, CHECKS, LAST_RUN, RERUNS, STRICT} from './processes/primary-messages.js';
import {startWatchdog} from './processes/watchdog.js';
import {CLOSING_MS, GRACE_MS} from './run.js';
import {createTeardown} from './teardown.js';
import {version} from './version.js';

/** Runs a process that `bothy web` or `bothy start` starts. */
export async function runReceiver(): Promise<void> {
	const {LOG_LEVEL, METRICS_PORT} = readSettings(process.env);
	const log = createLog({version, level: LOG_LEVEL, pretty: process.stdout.isTTY});
	const teardown = createTeardown(error => log.warn({err: error}, 'could not close a part of this process'));
	const dead = new Set<string>();
	// Loaded only if needed.
	const metrics =
		METRICS_PORT === '' ? undefined : import('./metrics/metrics.js').then(({createMetrics}) => createMetrics());
	const joined = joinPrimary({
		onDead: id => dead.add(id),
		onDrain: () => teardown.run(),
		onMetrics: async () => (await metrics)?.snapshot() ?? [],
		graceMs: GRACE_MS + CLOSING_MS,
	});
	// A bot's unhandled rejection must not stop the other bots.
	process.on('unhandledRejection', error =>
		log.error({err: error}, 'a promise was rejected and nothing awaits it; does a bot lack an `await`?'),
	);
	process.on('uncaughtException', error => {
		log.fatal({err: error}, 'uncaught exception outside of handlers; this receiver ends and is replaced');
		process.exit(1);
	});
	try {
		if (process.env[DEV] !== undefined) {
			await prepareTypeScript();
		}

		const rerun = process.env[RERUNS];
		const inspected = process.env[INSPECT];
		const receiving = rerun === undefined ? await import('./receiving.js') : undefined;
		const runsAll = rerun !== undefined || inspected !== undefined;
		const background = runsAll ? await import('./background/background-deliveries.js') : undefined;

		Object.assign(process.env, await joined?.started);
		// Read again: files may have changed while this process waited.
		const settings = readSettings(process.env);
		const host = {settings, log, teardown};
		const accounts = readAccounts(settings);
		if (accounts.some(({forward}) => forward !== undefined)) {
			// Now and not at the first message: an update may have removed the file by then.
			await loadForward();
		}

		const isStrict = process.env[STRICT] !== undefined;
		const isDev = process.env[DEV] !== undefined;
		const plugins = await openPlugins(host, accounts, {onlyNamed: !isDev, quiet: isDev || isStrict});
		const watchdog =
			inspected === undefined
				? startWatchdog({report: error => log.error({err: error}, 'the watchdog failed')})
				: undefined;
		const assigned = assignBots(accounts, plugins, {
			isStrict,
			environment: process.env,
		});
		const connections = {
			redisUrl: settings.REDIS_URL,
			accounts:
				inspected === undefined ? assigned : assigned.map(account => ({...account, timeoutMs: DEBUGGED_TIMEOUT_MS})),
			process: joined?.process ?? process.env[LAST_RUN] ?? randomUUID(),
			isDead: (id: string) => dead.has(id),
			...(watchdog && {watchdog}),
		};
		if (rerun === ALL_RERUNS) {
			// It takes jobs as soon as Redis answers. The primary need not wait for that.
			const opened = background?.openBackgroundRunner(host, connections);
			joined?.ready('');
			if (process.env[CHECKS] !== undefined) {
				const {redisUrl} = connections;
				for (const {name, problem} of assigned.filter(account => account.problem !== undefined)) {
					log.error({account: name, reason: problem}, 'a bot does not run, because its settings are wrong');
				}

				openAccountChecks(host, {accounts, clientOf: openClients(host, {redisUrl, accounts}), redisUrl});
			}

			await opened;
			return;
		}

		if (rerun !== undefined) {
			await background?.runLast(host, connections, rerun);
			await teardown.run();
			process.exit(0);
		}

		const listen = listenTarget(process.env, {host: settings.HOST, port: settings.PORT});
		const url = await receiving?.openReceiver(host, {...connections, listen});
		if (process.env[DEV] !== undefined) {
			printBrokenBots(host, plugins.broken);
			printProblems(host, assigned);
			joined?.needs(needsOf(plugins));
			joined?.bots(reportBots(assigned, plugins));
		}

		if (inspected !== undefined) {
			// In debug mode, one process does everything.
			await background?.openBackgroundRunner(host, {...connections, process: randomUUID()});
			void openDebugger(Number(inspected)).then(close => teardown.add(async () => close()));
		}

		joined?.ready(url ?? '');
	} catch (error) {
		await joined?.failed(error instanceof Error ? error.message : String(error));
		process.exit(1);
	}
}
