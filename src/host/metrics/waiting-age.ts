// For how long, at least, a queue's oldest job has waited. A job's own timestamp is by the clock of the machine that added it. So
// this watches one job: the newest that waited at the time. It needs only the clock of this process.

import type {OpenQueue} from '../../queue/define-queue.js';

/** Returns the age in milliseconds at each call. It grows from the first call that finds a waiting job. */
export function watchAge(
	queue: Pick<OpenQueue<never>, 'newest' | 'waits'>,
	now: () => number = () => performance.now(),
): () => Promise<number> {
	let watched: {readonly id: string; readonly since: number} | undefined;
	return async () => {
		if (!watched || !(await queue.waits(watched.id))) {
			const id = await queue.newest();
			watched = id === undefined ? undefined : {id, since: now()};
		}

		return watched ? now() - watched.since : 0;
	};
}
