// The socket that all receivers share: opened here, or passed on by systemd. Receivers inherit it and accept connections
// themselves. So a blocked receiver gets no connections, and while no receiver is alive, connections wait in the socket's
// backlog.

import {lookup} from 'node:dns/promises';
import net from 'node:net';
import {getSystemErrorName} from 'node:util';

/** Options for `server.listen`. */
export type ListenTarget = {readonly fd: number} | {readonly host: string; readonly port: number};

/** The first file descriptor of sd_listen_fds(3). */
export const SOCKET_FD = 3;

/** The socket from systemd or our primary. Host and port if there is none. */
export function listenTarget(env: NodeJS.ProcessEnv, {host, port}: {host: string; port: number}): ListenTarget {
	const isForUs = !env.LISTEN_PID || env.LISTEN_PID === String(process.pid);
	return Number(env.LISTEN_FDS) >= 1 && isForUs ? {fd: SOCKET_FD} : {host, port};
}

export interface ListeningSocket {
	readonly fd: number;
	close(): void;
}

/** @throws An error with the system's code, such as EADDRINUSE. */
export async function openSocket(target: ListenTarget): Promise<ListeningSocket> {
	if ('fd' in target) {
		// The process that passed the socket on closes it.
		return {fd: target.fd, close() {}};
	}

	const {host, port} = target;
	const {address, family} = host === '' ? {address: null, family: 6} : await lookup(host);
	const handle = createServerHandle(address, port, family);
	// Only now does the system report that a port is taken.
	const failure = typeof handle === 'number' ? handle : handle.getsockname({});
	if (typeof handle === 'number' || failure !== 0) {
		const code = getSystemErrorName(failure);
		throw Object.assign(new Error(`listen ${code} ${host}:${port}`), {code, syscall: 'listen', address: host, port});
	}

	return {fd: handle.fd, close: () => handle.close()};
}

interface ServerHandle {
	readonly fd: number;
	getsockname(out: object): number;
	close(): void;
}

// The documented `listen` would make the primary accept connections too. node:cluster calls this function for its shared sockets;
// it exists since Node 0.6. A negative number is a system error.
const {_createServerHandle: createServerHandle} = net as unknown as {
	_createServerHandle(address: string | null, port: number, family: number): ServerHandle | number;
};
