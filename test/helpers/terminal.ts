// Commands as somebody types them, in the process of the test.

import {Readable} from 'node:stream';
import {type Command, CommanderError} from 'commander';
import {actOnce} from '../../src/cli/once.js';
import {createProgram} from '../../src/cli/program.js';
import {readSettings} from '../../src/config/settings.js';
import {CALM} from './bothy.js';

export interface Ran {
	readonly code: number;
	/** What it printed, results and remarks. */
	readonly output: string;
}

interface Typed {
	readonly env?: NodeJS.ProcessEnv;
	/** What is piped into it, or typed. */
	readonly input?: string;
	readonly isTyped?: boolean;
	/** How long it waits for Redis. Default: longer than any test takes. */
	readonly connectMs?: number;
}

/** Runs a command that does one thing and ends. */
export async function runHere(
	args: readonly string[],
	{env = {}, input = '', isTyped = false, connectMs = 300_000}: Typed = {},
): Promise<Ran> {
	let output = '';
	let code = 0;
	const print = (text: string) => {
		output += `${text}\n`;
	};
	const program = createProgram(async act => {
		const parts = {
			settings: readSettings({...CALM, ...env}),
			print,
			note: print,
			paint: (_: string, text: string) => text,
			connectMs,
		};
		code = await actOnce(act, {...parts, input: Object.assign(Readable.from([input]), {isTTY: isTyped})});
	});
	const write = (text: string) => {
		output += text;
	};
	capture(program, write);
	try {
		await program.parseAsync(args, {from: 'user'});
	} catch (error) {
		if (!(error instanceof CommanderError)) {
			throw error;
		}

		code = error.exitCode;
	}

	return {code, output};
}

function capture(command: Command, write: (text: string) => void): void {
	command.exitOverride().configureOutput({writeOut: write, writeErr: write});
	for (const part of command.commands) {
		capture(part, write);
	}
}
