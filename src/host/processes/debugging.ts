// `bothy dev --inspect`: opens a debugger in the process that runs the bots. Nothing may end this process while it is at a
// breakpoint.

import {close, open} from 'node:inspector';
import {connect} from 'node:net';
import {setTimeout as sleep} from 'node:timers/promises';

/** The debugger's port, for a receiver that is debugged. */
export const INSPECT = 'BOTHY_INSPECT';

/** The time limit of handlers while debugging. */
export const DEBUGGED_TIMEOUT_MS = 24 * 3_600_000;

const LOOK_AGAIN_MS = 100;

/** Opens the debugger when the previous process has released its port. Returns a function that closes it. */
export async function openDebugger(port: number): Promise<() => void> {
	while (await isTaken(port)) {
		await sleep(LOOK_AGAIN_MS);
	}

	open(port, '127.0.0.1');
	return close;
}

function isTaken(port: number): Promise<boolean> {
	return new Promise(resolve => {
		const socket = connect(port, '127.0.0.1');
		socket.once('connect', () => {
			socket.destroy();
			resolve(true);
		});
		socket.once('error', () => resolve(false));
	});
}
