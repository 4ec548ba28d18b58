// Our child processes and their children: measures their CPU time, and ends them all.

import {spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {setTimeout as sleep} from 'node:timers/promises';

const ticksPerSecond = 100;

/** CPU time of all descendants that have ended. Undefined on systems without /proc. */
export function secondsOfChildren() {
	try {
		// After the name in parentheses: utime is the 12th field, then stime, cutime, cstime.
		const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1).split(' ');
		return (Number(fields[13]) + Number(fields[14])) / ticksPerSecond;
	} catch {
		return undefined;
	}
}

/** Ends a process with all its descendants, whichever process groups they are in. */
export async function endTree(processId, patienceMs = 3000) {
	const tree = [processId, ...descendantsOf(processId)];
	for (const [name, waitMs] of [
		['SIGTERM', patienceMs],
		['SIGKILL', 1000],
	]) {
		signal(tree, name);
		for (const end = Date.now() + waitMs; Date.now() < end && tree.some(isAlive); ) {
			await sleep(50);
		}
	}
}

function descendantsOf(processId) {
	const {stdout} = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], {encoding: 'utf8'});
	const pairs = (stdout ?? '')
		.trim()
		.split('\n')
		.map(line => line.trim().split(/\s+/).map(Number));
	const childrenOf = parent =>
		pairs.filter(([, other]) => other === parent).flatMap(([child]) => [child, ...childrenOf(child)]);
	return childrenOf(processId);
}

function signal(processIds, name) {
	for (const id of processIds) {
		try {
			process.kill(id, name);
		} catch {
			// It has ended.
		}
	}
}

function isAlive(id) {
	try {
		process.kill(id, 0);
		return true;
	} catch {
		return false;
	}
}
