// The one socket behind which all receivers listen: opened here, or handed over by systemd. Receivers inherit it and
// accept by themselves, so a receiver that stands still is given no connection, and whatever arrives while none lives
// waits in the socket's backlog.

import {lookup} from 'node:dns/promises';
import net from 'node:net';
import {getSystemErrorName} from 'node:util';

/** What `server.listen` takes. */
export type ListenTarget = {readonly fd: number} | {readonly host: string; readonly port: number};

/** The first descriptor of sd_listen_fds(3). */
export const SOCKET_FD = 3;

/** The socket that systemd, or our primary, handed over; host and port where nobody did. */
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
	// The system tells only now that a port is taken.
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

// With the documented `listen` the primary would accept connections too. This is what node:cluster calls for its shared
// sockets; it came with Node 0.6. A negative number is the system's error.
const {_createServerHandle: createServerHandle} = net as unknown as {
	_createServerHandle(address: string | null, port: number, family: number): ServerHandle | number;
};
