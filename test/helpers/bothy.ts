// The product as its README starts it: `bothy start` in a process of its own, with a data folder and ports of its own.

import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';
import type {ExecutionContext} from 'ava';
import {type Client, createClient} from '../../src/client/client.js';

const CLI = fileURLToPath(new URL('../../src/cli.js', import.meta.url));

export interface Bothy {
	readonly realmUrl: string;
	readonly receiverUrl: string;
	readonly process: ChildProcess;
	/** Everything that it printed so far. */
	output(): string;
	/** Asks it to stop; resolves with its exit code. */
	stop(): Promise<number | null>;
}

export interface BothyOptions {
	readonly env?: NodeJS.ProcessEnv;
	/** Where it keeps its data; a folder of its own when absent. */
	readonly data?: string;
}

/** A test, or whatever else closes what was opened for it. */
export type Scope = Pick<ExecutionContext, 'title' | 'teardown'>;

export async function dataFolder(t: Scope): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), 'bothy-data-'));
	t.teardown(() => rm(folder, {recursive: true, force: true}));
	return folder;
}

/** Runs a command of the command line; resolves when it ended. */
export async function runBothy(args: readonly string[], env: NodeJS.ProcessEnv) {
	const child = spawn(process.execPath, [CLI, ...args], {
		cwd: ELSEWHERE,
		env: environment(env),
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const output = collect(child);
	const [code] = await once(child, 'exit');
	return {code: code as number | null, output: output.text()};
}

/** Starts everything; resolves when it says that it runs. */
export async function startBothy(t: Scope, options: BothyOptions = {}): Promise<Bothy> {
	const data = options.data ?? (await dataFolder(t));
	const env = {PORT: '0', REALM_PORT: '0', BOTHY_DATA: data, LOG_LEVEL: 'warn', ...options.env};
	const child = spawn(process.execPath, [CLI, 'start'], {
		cwd: ELSEWHERE,
		env: environment(env),
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const stop = async () => {
		if (child.exitCode === null && child.signalCode === null) {
			child.kill('SIGTERM');
			await once(child, 'exit');
		}

		return child.exitCode;
	};
	t.teardown(stop);

	const output = collect(child);
	const realmUrl = await output.find(/Chat page\s+(http:\S+)/);
	const receiverUrl = await output.find(/Receiver\s+(http:\S+)/);
	await output.find(/(Ctrl-C)/);
	return {realmUrl, receiverUrl, process: child, output: output.text, stop};
}

interface CommandOptions {
	readonly args?: readonly string[];
	readonly env: NodeJS.ProcessEnv;
	readonly ready: RegExp;
	/** Another copy of the command line. */
	readonly cli?: string;
	readonly cwd?: string;
}

/** Starts a command that runs until it is stopped; resolves once it printed `ready`. */
export async function startCommand(
	t: Scope,
	command: string,
	{args = [], env, ready, cli = CLI, cwd = ELSEWHERE}: CommandOptions,
): Promise<{found: string; process: ChildProcess; output(): string; find(pattern: RegExp): Promise<string>}> {
	const child = spawn(process.execPath, [cli, command, ...args], {
		cwd,
		env: environment(env),
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const output = collect(child);
	t.teardown(async () => {
		if (child.exitCode === null && child.signalCode === null) {
			child.kill('SIGTERM');
			await once(child, 'exit');
		}
	});
	return {found: await output.find(ready), process: child, output: output.text, find: output.find};
}

/** Where processes run unless they are told: nothing there is meant for them, unlike in the folder of the tests. */
const ELSEWHERE = mkdtempSync(join(tmpdir(), 'bothy-elsewhere-'));
process.once('exit', () => rmSync(ELSEWHERE, {recursive: true, force: true}));
writeFileSync(join(ELSEWHERE, 'bothyrc'), '');

/** The same for what reads an environment in the process of the tests. */
export const CALM = {BOTHY_CONFIG: join(ELSEWHERE, 'bothyrc'), BOTHY_DATA: ELSEWHERE, LOG_LEVEL: 'silent'};

/** Nothing of the environment of the tests is meant for the processes that they start. */
function environment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
	return {PATH: process.env.PATH, HOME: process.env.HOME, ...env};
}

/** What is for people is a line of the log here, where no terminal is. */
function saidIn(line: string): string {
	const [, said] = /^\{"level":(?:30.*"msg":(?=" )|60.*"msg":)(".*")\}$/.exec(line) ?? [];
	return said === undefined ? line : JSON.parse(said);
}

function collect(child: ChildProcess) {
	let text = '';
	const waiting = new Set<() => void>();
	// Each search listens for the end of the process.
	child.setMaxListeners(0);
	for (const stream of [child.stdout, child.stderr]) {
		if (stream) {
			createInterface(stream).on('line', line => {
				text += `${saidIn(line)}\n`;
				for (const look of waiting) {
					look();
				}
			});
		}
	}

	return {
		text: () => text,
		/** Resolves with the first group of `pattern` once it was printed. */
		find(pattern: RegExp): Promise<string> {
			return new Promise((resolve, reject) => {
				const look = () => {
					const found = pattern.exec(text)?.[1];
					if (found !== undefined) {
						waiting.delete(look);
						resolve(found);
					}
				};
				waiting.add(look);
				child.once('exit', code => reject(new Error(`bothy ended with ${code} before ${pattern}:\n${text}`)));
				look();
			});
		},
	};
}

/** A person of the realm, signed in as its page does it. */
export interface Person extends Client {
	readonly id: number;
	readonly key: string;
	/** Opens an event queue; `next` waits for a message that fits. */
	listen(): Promise<{next(fits: (message: Heard) => boolean): Promise<Heard>}>;
}

export interface Heard {
	readonly id: number;
	readonly content: string;
	readonly sender_email: string;
	readonly subject: string;
	readonly type: string;
	readonly display_recipient: unknown;
}

export async function signIn(t: Scope, realmUrl: string, email: string): Promise<Person> {
	const connect = (key: string) => createClient({site: realmUrl, email, key, userAgent: 'test/1'});
	const nobody = connect('');
	const {api_key: key} = await nobody.devFetchApiKey({username: email});
	await nobody.close();
	const client = connect(key);
	t.teardown(() => client.close());
	const {user_id: id} = await client.getOwnUser();

	async function listen() {
		const queue = await client.register({event_types: ['message'], apply_markdown: false});
		let {last_event_id} = queue;
		const heard: Heard[] = [];
		return {
			async next(fits: (message: Heard) => boolean): Promise<Heard> {
				for (;;) {
					const index = heard.findIndex(fits);
					if (index >= 0) {
						return heard.splice(index, 1)[0] as Heard;
					}

					const {events} = await client.getEvents({queue_id: queue.queue_id, last_event_id}, {timeoutMs: 90_000});
					for (const event of events) {
						last_event_id = event.id;
						if (event.type === 'message') {
							// What a message event holds, as the tests look at it.
							heard.push(event.message as Heard);
						}
					}
				}
			},
		};
	}

	return {...client, id, key, listen};
}
