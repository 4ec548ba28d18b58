// Finds a Redis server, or installs one without starting a system service.

import {mkdirSync, rmSync, symlinkSync} from 'node:fs';
import path from 'node:path';
import {Failure, findProgram, run, say} from './run.mjs';
import {canInstall, installPackages, unpackPackages} from './system-packages.mjs';

const ownFolder = path.join('.data', 'bin');

export const redisAdvice = `Install one (Debian, Ubuntu: \`apt-get install redis-server\`; Fedora: \`dnf install valkey\`; \
Alpine: \`apk add redis\`; Arch: \`pacman -S valkey\`; macOS: \`brew install redis\`), \
or name a running one in REDIS_URL, such as redis://localhost:6379`;

export function findRedis() {
	return findProgram(['redis-server', 'valkey-server'], [ownFolder]);
}

export async function installRedis() {
	if (findProgram(['brew']) && process.platform === 'darwin') {
		await run('brew', ['install', 'redis'], {title: 'Installing Redis with `brew install redis`'});
		return;
	}

	if (await linkTwin()) {
		return;
	}

	if (!findProgram(['apt-get'])) {
		throw new Failure(`Found no Redis server and no way to install one. ${redisAdvice}`);
	}

	// redis-tools contains the server without the service. The service would start at once and occupy port 6379.
	if (await canInstall()) {
		try {
			await installPackages(['redis-tools'], 'Redis');
			if (await linkTwin()) {
				return;
			}
		} catch (error) {
			say(`${error.message}\nTrying without the system's own folders`);
		}
	}

	await unpackPackages(['redis-server'], {title: 'Redis', program: 'usr/bin/redis-server', name: 'redis-server'});
	await run(path.resolve(ownFolder, 'redis-server'), ['--version']).catch(error => {
		rmSync(path.join(ownFolder, 'redis-server'), {force: true});
		throw new Failure(`The unpacked Redis server does not run: ${error.message}\n${redisAdvice}`);
	});
}

/** Debian's redis-check-rdb is the server under another name. The program chooses its role by its name. */
async function linkTwin() {
	const twin = findProgram(['redis-check-rdb']);
	if (!twin) {
		return false;
	}

	const link = path.resolve(ownFolder, 'redis-server');
	mkdirSync(ownFolder, {recursive: true});
	rmSync(link, {force: true});
	symlinkSync(twin, link);
	const version = await run(link, ['--version']).catch(() => '');
	if (/server v=/.test(version)) {
		return true;
	}

	rmSync(link, {force: true});
	return false;
}
