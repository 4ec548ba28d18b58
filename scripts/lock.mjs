// A folder that only one process can create. That process works; the others wait and print that they do.

import {randomUUID} from 'node:crypto';
import {mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync} from 'node:fs';
import {hostname} from 'node:os';
import path from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {say} from './run.mjs';

const heartbeatMs = 1000;
// Long enough for a holder whose machine was asleep or busy for a moment.
const staleMs = 15_000;

export async function holdLock(folder, work) {
	mkdirSync(path.dirname(folder), {recursive: true});
	const ownerFile = path.join(folder, 'owner');
	let told = false;
	while (!take(folder, ownerFile)) {
		const owner = read(ownerFile);
		if (isStale(folder, owner)) {
			clear(folder, ownerFile, owner);
			continue;
		}

		if (!told) {
			say(`Waiting for ${owner ? `process ${owner.processId}` : 'another process'}, which is preparing this folder`);
			told = true;
		}

		await sleep(100);
	}

	const release = () => rmSync(folder, {recursive: true, force: true});
	const leave = () => process.exit(130);
	const heartbeat = setInterval(() => utimesSync(folder, new Date(), new Date()), heartbeatMs);
	process.once('exit', release).once('SIGINT', leave).once('SIGTERM', leave);
	try {
		return await work();
	} finally {
		clearInterval(heartbeat);
		release();
		process.off('exit', release).off('SIGINT', leave).off('SIGTERM', leave);
	}
}

function take(folder, ownerFile) {
	try {
		mkdirSync(folder);
	} catch (error) {
		if (error.code === 'EEXIST') {
			return false;
		}

		throw error;
	}

	writeFileSync(ownerFile, JSON.stringify({id: randomUUID(), processId: process.pid, host: hostname()}));
	return true;
}

function isStale(folder, owner) {
	if (owner?.host === hostname() && !isAlive(owner.processId)) {
		return true;
	}

	const age = statSync(folder, {throwIfNoEntry: false});
	return age !== undefined && Date.now() - age.mtimeMs > staleMs;
}

// Moved aside first: if several find it stale, only one clears it. A process that moved a fresh lock puts it back.
function clear(folder, ownerFile, staleOwner) {
	const aside = `${folder}.${process.pid}`;
	try {
		renameSync(folder, aside);
	} catch (error) {
		if (error.code === 'ENOENT') {
			return;
		}

		throw error;
	}

	if (read(path.join(aside, path.basename(ownerFile)))?.id === staleOwner?.id) {
		rmSync(aside, {recursive: true, force: true});
		return;
	}

	renameSync(aside, folder);
}

function read(ownerFile) {
	try {
		return JSON.parse(readFileSync(ownerFile, 'utf8'));
	} catch {
		// It is gone, or not written yet.
		return undefined;
	}
}

function isAlive(processId) {
	try {
		process.kill(processId, 0);
		return true;
	} catch (error) {
		return error.code === 'EPERM';
	}
}
