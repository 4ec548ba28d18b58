// Which process is at the other end of a connection on this machine.

import {execFileSync} from 'node:child_process';
import {readdirSync, readFileSync, readlinkSync} from 'node:fs';

/** Ports at either end of the TCP connections that a process has. */
export function portsOf(pid: number): Set<number> {
	try {
		return process.platform === 'linux' ? portsByProc(pid) : portsByLsof(pid);
	} catch {
		// It has ended.
		return new Set();
	}
}

function portsByProc(pid: number): Set<number> {
	const inodes = new Set<string>();
	for (const fd of readdirSync(`/proc/${pid}/fd`)) {
		try {
			const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1];
			if (inode) {
				inodes.add(inode);
			}
		} catch {
			// Closed meanwhile.
		}
	}

	const ports = new Set<number>();
	for (const line of readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1)) {
		const [, local, remote, , , , , , , inode = ''] = line.trim().split(/\s+/);
		if (inodes.has(inode)) {
			for (const address of [local, remote]) {
				ports.add(Number.parseInt(address?.split(':')[1] ?? '', 16));
			}
		}
	}

	return ports;
}

function portsByLsof(pid: number): Set<number> {
	const lines = execFileSync('lsof', ['-nP', '-a', '-p', String(pid), '-iTCP', '-sTCP:ESTABLISHED', '-Fn']).toString();
	return new Set([...lines.matchAll(/:(\d+)(?=->|$)/gm)].map(([, port]) => Number(port)));
}
