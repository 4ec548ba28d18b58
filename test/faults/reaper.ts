// Who is killed, and who is spared: the service gives a delivery up after four broken connections, which no host can
// help, so nobody is killed who holds one that lost two.

import {setTimeout as sleep} from 'node:timers/promises';
import type {Kept} from './processes.js';
import {count, type ReceiverProxy} from './trouble/receiver-proxy.js';
import {portsOf} from './trouble/sockets.js';

const ENOUGH_BROKEN = 2;

/** A receiver that was frozen has noticed what happened meanwhile. */
const SETTLED_MS = 5_000;

export interface Reaper {
	/** Kills a receiver, unless it must be spared. */
	kill(pid: number, why: string): boolean;
	/** Kills whichever receiver may be killed. */
	killAny(why: string): boolean;
	/** Kills the receiver that has a connection to this port. */
	killPeer(port: number, why: string): boolean;
	mayKillPeer(port: number): boolean;
	/** Lets a receiver stand still until another one has taken its run over. */
	freeze(pid: number, takenOver: Promise<void>): Promise<void>;
	/** A long run has begun, or is over: a delivery that lost one run keeps the next. */
	noteRun(run: {pid: number; token: string; isOver: boolean}): void;
	readonly kills: Map<string, number>;
}

export interface ReaperOptions {
	readonly hosts: readonly Kept[];
	proxy(): ReceiverProxy;
}

export function createReaper({hosts, proxy}: ReaperOptions): Reaper {
	const kills = new Map<string, number>();
	const spared = new Set<number>();
	const runs = new Map<number, Set<string>>();
	const runsLost = new Set<string>();
	let turn = 0;
	const living = () => hosts.filter(host => host.isUp).flatMap(host => host.pids());

	const peerOf = (port: number) => living().find(pid => portsOf(pid).has(port));

	function mustLive(pid: number): boolean {
		if (spared.has(pid)) {
			return true;
		}

		if ([...(runs.get(pid) ?? [])].some(token => runsLost.has(token))) {
			return true;
		}

		const {inFlight, log} = proxy();
		const ports = portsOf(pid);
		return [...inFlight].some(({token, port}) => ports.has(port) && (log.broken.get(token) ?? 0) >= ENOUGH_BROKEN);
	}

	const reaper: Reaper = {
		kills,
		kill(pid, why) {
			if (mustLive(pid)) {
				return false;
			}

			try {
				process.kill(pid, 'SIGKILL');
			} catch {
				return false;
			}

			count(kills, why);
			for (const token of runs.get(pid) ?? []) {
				runsLost.add(token);
			}

			return true;
		},
		killAny(why) {
			const pids = living();
			const order = pids.map((_, index) => pids[(index + turn) % pids.length] ?? 0);
			turn++;
			return order.some(pid => reaper.kill(pid, why));
		},
		killPeer(port, why) {
			const pid = peerOf(port);
			return pid !== undefined && reaper.kill(pid, why);
		},
		mayKillPeer(port) {
			const pid = peerOf(port);
			return pid !== undefined && !mustLive(pid);
		},
		noteRun({pid, token, isOver}) {
			const here = runs.get(pid) ?? new Set();
			runs.set(pid, here);
			if (isOver) {
				here.delete(token);
			} else {
				here.add(token);
			}
		},
		async freeze(pid, takenOver) {
			count(kills, 'frozen');
			spared.add(pid);
			try {
				process.kill(pid, 'SIGSTOP');
				await takenOver;
				process.kill(pid, 'SIGCONT');
				await sleep(SETTLED_MS);
			} catch {
				// It has ended.
			}

			spared.delete(pid);
		},
	};
	return reaper;
}
