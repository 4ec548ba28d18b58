// Runs deliveries for the last time, each in a process of its own: it may end that process.

import {type ChildProcess, spawn} from 'node:child_process';
import {randomUUID} from 'node:crypto';
import {once} from 'node:events';
import {fileURLToPath} from 'node:url';
import type {z} from '../../api/zod.js';
import {firstHolder} from '../../delivery/deliveries.js';
import type {Log} from '../../log.js';
import type {backgroundDeliveries} from '../../queue/background-deliveries.js';
import {accountTag} from '../../redis/account-key.js';
import {LAST_RUN, RERUNS} from '../processes/primary-messages.js';
import {GRACE_MS} from '../run.js';
import {packageFolder} from '../version.js';

type Job = z.output<typeof backgroundDeliveries.schema>;

/** How many last runs go on at a time. The sweep finds the others again. */
const LAST_RUNS = 2;

/** Calls `onCrash` if a last run ended its process. */
export function createLastRuns(log: Log, onCrash: (job: Job, deadHolder: string) => Promise<void>) {
	const running = new Set<ChildProcess>();

	function start(job: Job): void {
		if (running.size >= LAST_RUNS) {
			return;
		}

		const program = fileURLToPath(new URL('dist/src/cli.js', packageFolder));
		const name = randomUUID();
		const child = spawn(process.execPath, [...process.execArgv, program, 'receiver'], {
			env: {...process.env, [RERUNS]: JSON.stringify(job), [LAST_RUN]: name},
			stdio: ['ignore', 'inherit', 'inherit'],
		});
		running.add(child);
		log.warn(
			{account: accountTag(job), delivery: job.delivery, receiver: child.pid},
			'a delivery ended two processes; running it a last time in a process of its own',
		);
		child.once('exit', (code, signal) => {
			running.delete(child);
			if (code !== 0) {
				log.error(
					{account: accountTag(job), delivery: job.delivery, ended: signal ?? `code ${code}`},
					'the last run of a delivery ended its process',
				);
				onCrash(job, firstHolder(name)).catch((error: Error) => {
					log.warn(
						{account: accountTag(job), delivery: job.delivery, reason: error.message},
						'could not park a delivery; the sweep will',
					);
				});
			}
		});
		child.on('error', error => {
			running.delete(child);
			log.error(
				{account: accountTag(job), delivery: job.delivery, reason: error.message},
				'could not start the last run of a delivery',
			);
		});
	}

	return {
		start,
		/** Stops them within the grace time of handlers. */
		async close(): Promise<void> {
			await Promise.all(
				[...running].map(async child => {
					child.kill('SIGTERM');
					const timer = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
					await once(child, 'exit');
					clearTimeout(timer);
				}),
			);
		},
	};
}
