// The folder of our Redis server: its data, its password, and the port where it was last.

import {randomBytes} from 'node:crypto';
import {accessSync, constants, linkSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {EmbeddedRedisError} from './embedded-redis-error.js';

export function openFolder(name: string): string {
	try {
		mkdirSync(name, {recursive: true, mode: 0o700});
		accessSync(name, constants.R_OK | constants.W_OK | constants.X_OK);
		return realpathSync(name);
	} catch (cause) {
		const code = cause instanceof Error && 'code' in cause ? ` (${cause.code})` : '';
		const message = `Expected ${name} to be a writable folder for the data of Redis${code}`;
		throw new EmbeddedRedisError('folder', message, {cause});
	}
}

/** Made once; the link makes it appear whole or not at all. */
export function readPassword(folder: string): string {
	const file = path.join(folder, 'password');
	const known = readIfThere(file);
	if (known !== undefined) {
		return known.trim();
	}

	const draft = `${file}.${randomBytes(6).toString('hex')}`;
	try {
		writeFileSync(draft, randomBytes(24).toString('hex'), {flag: 'wx', mode: 0o600});
		linkSync(draft, file);
	} catch (error) {
		if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) {
			throw error;
		}
	} finally {
		rmSync(draft, {force: true});
	}

	return readFileSync(file, 'utf8').trim();
}

function readIfThere(file: string): string | undefined {
	try {
		return readFileSync(file, 'utf8');
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
			return undefined;
		}

		throw error;
	}
}

export function readLastPort(folder: string): number | undefined {
	return Number(readIfThere(path.join(folder, 'port'))) || undefined;
}

export function writeLastPort(folder: string, port: number): void {
	writeFileSync(path.join(folder, 'port'), String(port));
}
