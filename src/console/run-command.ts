// Runs a command of Bothy in a process of its own: what it runs may be the delivery that ends its process.

import {spawn} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import {stripVTControlCharacters} from 'node:util';
import {Semaphore} from '../semaphore.js';

const CLI = fileURLToPath(new URL('../cli.js', import.meta.url));

const LONGEST_MS = 60_000;

const LONGEST_OUTPUT = 20_000;

/** At the same time. */
const MOST = 2;

const turns = new Semaphore(MOST);

export interface Ran {
	readonly isOk: boolean;
	readonly output: string;
}

export function runCommand(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Ran> {
	return turns.run(() => run(args, env));
}

function run(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Ran> {
	const child = spawn(process.execPath, [CLI, ...args], {
		env: {...env, ADMIN_TOKEN: undefined, ADMIN_TOKEN_FILE: undefined, CONSOLE_PORT: undefined, LOG_LEVEL: 'silent'},
		stdio: ['ignore', 'pipe', 'pipe'],
		timeout: LONGEST_MS,
		killSignal: 'SIGKILL',
	});
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding('utf8').on('data', (text: string) => {
			output = (output + text).slice(0, LONGEST_OUTPUT);
		});
	}

	return new Promise((resolve, reject) => {
		child.once('error', reject);
		child.once('close', (code, signal) => {
			const end = code === 0 ? '' : `\nThe command ended with ${signal ?? `code ${code}`}.`;
			resolve({isOk: code === 0, output: `${stripVTControlCharacters(output).trim()}${end}`.trim()});
		});
	});
}
