// Keeps the private Redis of a folder. It is a process of its own, so that no user of the server has to outlive the others:
// the first user starts it, it runs `redis-server` as its child, and both end when the last user has left. A user is a
// connection to this process, so a killed user leaves too. Usage: `node redis-keeper.js <redis-server>`, in the folder, with
// the connection of the first user as descriptor 3.

import {randomBytes} from 'node:crypto';
import {once} from 'node:events';
import {linkSync, rmSync} from 'node:fs';
import {createServer, type Server, Socket} from 'node:net';
import {setTimeout as sleep} from 'node:timers/promises';
import {connectTo, keeperSocket, lastKeeper, READY, REDIS_SOCKET, STARTING} from './redis-folder.js';
import {type RedisServer, spawnRedisServer} from './redis-server.js';

/** A server and its children hold this socket until they have ended, even if their keeper was killed before. */
const HELD = 'server.held';

const [program = ''] = process.argv.slice(2);
const users = new Set<Socket>();
let server: RedisServer | undefined;
let news = '';
let isStopping = false;

process.umask(0o077);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
	// A terminal or a service manager also sends these signals to this process. Other processes may still need the server.
	process.on(signal, () => {});
}

const socket = createServer({allowHalfOpen: true}, serve);
serve(new Socket({fd: 3, allowHalfOpen: true}));
try {
	if (await takeFolder()) {
		await endOrphan();
		await runServer();
	}
} catch (error) {
	server?.stop();
	await server?.exited;
	await tell(error instanceof Error ? error.message : String(error));
}

process.exit();

function serve(user: Socket): void {
	users.add(user);
	user.on('error', () => {});
	user.once('end', () => leave(user));
	user.once('close', () => leave(user));
	user.resume();
	user.write(news);
}

function announce(line: string): void {
	news += line;
	for (const user of users) {
		user.write(line);
	}
}

function leave(user: Socket): void {
	if (!users.delete(user)) {
		return;
	}

	if (users.size > 0) {
		user.end();
		return;
	}

	// Its connection stays open until we exit, so it can wait for the end of the server.
	isStopping = true;
	if (server) {
		server.stop();
	} else {
		process.exit();
	}
}

/** Text after the announcements is the reason why we end. */
async function tell(reason: string): Promise<void> {
	await Promise.all([...users].map(user => new Promise<void>(resolve => user.end(reason, resolve))));
}

/**
 * Whether we are the keeper of the folder. At most one living process is.
 *
 * Keepers are numbered, and the last one counts. A number appears as a socket that already listens, so a socket that
 * refuses connections belongs to a dead keeper, permanently. Two keepers cannot get the same number. A keeper that took
 * long to get one checks again for a later one: the last number is never removed.
 */
async function takeFolder(): Promise<boolean> {
	const draft = `keeper.${randomBytes(6).toString('hex')}.new`;
	process.once('exit', () => rmSync(draft, {force: true}));
	await listen(socket, draft);
	for (;;) {
		const last = lastKeeper('.');
		const other = await connectTo(keeperSocket(last));
		if (other) {
			other.destroy();
			return false;
		}

		const own = last + 1;
		if (!link(draft, keeperSocket(own))) {
			continue;
		}

		if (lastKeeper('.') === own) {
			rmSync(draft);
			rmSync(keeperSocket(own - 2), {force: true});
			return true;
		}

		rmSync(keeperSocket(own));
	}
}

/** False if the name is taken. */
function link(from: string, to: string): boolean {
	try {
		linkSync(from, to);
		return true;
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'EEXIST') {
			return false;
		}

		throw error;
	}
}

/** Ends the server of a killed keeper, and waits as long as that takes: two servers on the same data would destroy it. */
async function endOrphan(): Promise<void> {
	const holder = await connectTo(HELD);
	if (!holder) {
		return;
	}

	const end = new Promise(resolve => holder.resume().once('close', resolve));
	while (!holder.closed) {
		const redis = await connectTo(REDIS_SOCKET);
		redis?.end('SHUTDOWN NOSAVE\r\n');
		await Promise.race([end, sleep(100)]);
	}
}

async function runServer(): Promise<void> {
	const held = createServer();
	for (const name of [HELD, REDIS_SOCKET]) {
		rmSync(name, {force: true});
	}

	await listen(held, HELD);
	server = spawnRedisServer(program, held);
	announce(STARTING);
	if (await server.isLoaded()) {
		announce(READY);
	}

	const reason = await server.exited;
	if (!isStopping) {
		throw new Error(reason);
	}
}

async function listen(server: Server, name: string): Promise<void> {
	await once(server.listen(name), 'listening');
}
