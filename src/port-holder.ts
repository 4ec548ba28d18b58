// Says which process listens on a TCP port, for messages like "port 8080 is taken by …".

import {readdirSync, readFileSync, readlinkSync} from 'node:fs';

const somebody = 'another program';
const secretWord = /pass|secret|token|key|auth/i;

/** `process 1234 (node dist/src/cli.js start)`, or `another program` where the system does not tell. */
export function describePortHolder(port: number): string {
	const socket = findListener(port);
	if (socket === undefined) {
		return somebody;
	}

	const processId = findProcess(socket.inode);
	if (processId === undefined) {
		return `a process of user id ${socket.userId}`;
	}

	return `process ${processId} (${describeCommand(processId)})`;
}

function findListener(port: number): {inode: string; userId: string} | undefined {
	const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
	const rows = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap(file => read(file).split('\n'));
	for (const row of rows) {
		const [, local = '', , state, , , , userId = '', , inode = ''] = row.trim().split(/\s+/);
		// 0A is LISTEN.
		if (state === '0A' && local.endsWith(suffix)) {
			return {inode, userId};
		}
	}

	return undefined;
}

function findProcess(inode: string): string | undefined {
	const ids = list('/proc').filter(name => /^\d+$/.test(name));
	return ids.find(id => list(`/proc/${id}/fd`).some(fd => link(`/proc/${id}/fd/${fd}`) === `socket:[${inode}]`));
}

// Command lines may carry secrets, so the text after a suspicious word is removed.
function describeCommand(processId: string): string {
	const words = read(`/proc/${processId}/cmdline`)
		.split('\0')
		.filter(word => word !== '');
	const secret = words.findIndex((word, index) => index > 0 && secretWord.test(word));
	const shown = secret === -1 ? words : [...words.slice(0, secret), '…'];
	const text = shown.join(' ') || read(`/proc/${processId}/comm`).trim();

	return text.length > 100 ? `${text.slice(0, 99)}…` : text;
}

function read(file: string): string {
	return attempt(() => readFileSync(file, 'utf8')) ?? '';
}

function list(folder: string): string[] {
	return attempt(() => readdirSync(folder)) ?? [];
}

function link(file: string): string | undefined {
	return attempt(() => readlinkSync(file));
}

// Processes vanish while we look, and those of other users cannot be read.
function attempt<Result>(look: () => Result): Result | undefined {
	try {
		return look();
	} catch {
		return undefined;
	}
}
