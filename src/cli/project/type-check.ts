// Type-checks the repository in the background and prints findings as clickable lines. Type errors do not stop the bots.

import {type ChildProcess, spawn} from 'node:child_process';
import {existsSync} from 'node:fs';
import {createRequire} from 'node:module';
import {setPriority} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import {text} from 'node:stream/consumers';
import type {Host} from '../../host/connections.js';
import {say} from '../../host/print.js';

/** The repository has a tsconfig.json, but TypeScript is not installed. */
const NOTHING_TO_CHECK = /^error TS18003:/;

export interface TypeCheck {
	start(): void;
	stop(): void;
}

/** Does nothing if the repository does not use TypeScript. */
export function createTypeCheck(host: Host): TypeCheck {
	const {settings} = host;
	const program = findCompiler();
	let running: ChildProcess | undefined;
	let hadErrors = false;

	async function look(child: ChildProcess): Promise<void> {
		const output = child.stdout ? await text(child.stdout) : '';
		if (child !== running) {
			// A newer save has arrived.
			return;
		}

		const errors = NOTHING_TO_CHECK.test(output) ? '' : output.trim();
		if (errors !== '') {
			say(host, `  Types      ${describe(errors)}`);
		} else if (hadErrors) {
			say(host, '  Types      no errors');
		}

		hadErrors = errors !== '';
	}

	return {
		start() {
			if (program !== undefined) {
				// Its own incremental state, separate from that of the repository's build.
				const notes = resolve(settings.BOTHY_DATA, 'types.tsbuildinfo');
				const words = ['--noEmit', '--pretty', 'false', '--incremental', '--tsBuildInfoFile', notes];
				// A group of its own: the program may start another one that does the work.
				running = spawn(process.execPath, [program, '-p', '.', ...words], {
					stdio: ['ignore', 'pipe', 'ignore'],
					detached: true,
				});
				running.on('error', () => {});
				beModest(running);
				void look(running);
			}
		},
		stop() {
			// The ID of a process that has ended may belong to another one.
			if (running?.exitCode === null && running.signalCode === null) {
				endGroup(running);
			}

			running = undefined;
		},
	};
}

/** Lowers the priority: reloading the bot matters more than checking its types. */
function beModest({pid}: ChildProcess): void {
	try {
		setPriority(pid ?? 0, 10);
	} catch {
		// The process has already ended.
	}
}

function endGroup({pid}: ChildProcess): void {
	try {
		if (pid !== undefined) {
			process.kill(-pid);
		}
	} catch {
		// It has already ended.
	}
}

function findCompiler(): string | undefined {
	if (!existsSync('tsconfig.json')) {
		return undefined;
	}

	try {
		const require = createRequire(resolve('package.json'));
		const manifest = require.resolve('typescript/package.json');
		return join(dirname(manifest), (require(manifest) as {bin: {tsc: string}}).bin.tsc);
	} catch {
		return undefined;
	}
}

/** Turns `bots/lunch.ts(3,7): error TS2322: …` into `bots/lunch.ts:3:7 …`, one per line. */
function describe(errors: string): string {
	return errors
		.replace(/^(\S.*)\((\d+),(\d+)\): error (TS\d+): /gm, '$1:$2:$3 ($4) ')
		.split('\n')
		.join('\n             ');
}
