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

/** Others wait, for a minute at most. */
const MOST_WAITING = 2;

/** What a bot started may keep the output open after the command has ended. */
const LAST_OUTPUT_MS = 500;

const turns = new Semaphore(MOST);
let asked = 0;

export interface Ran {
	readonly isOk: boolean;
	readonly output: string;
}

export async function runCommand(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Ran> {
	if (asked >= MOST + MOST_WAITING) {
		return {isOk: false, output: `${asked} replays run or wait already. Try again when they have ended.`};
	}

	asked += 1;
	try {
		return await turns.run(() => run(args, env));
	} finally {
		asked -= 1;
	}
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
		child.once('exit', () => {
			setTimeout(() => [child.stdout, child.stderr].map(stream => stream.destroy()), LAST_OUTPUT_MS).unref();
		});
		child.once('close', (code, signal) => {
			const end = code === 0 ? '' : `\nThe command ended with ${signal ?? `code ${code}`}.`;
			resolve({isOk: code === 0, output: `${stripVTControlCharacters(output).trim()}${end}`.trim()});
		});
	});
}
