// Adds declarations to those that a module has. Each may be there once.

import type {Command} from './declarations.js';
import type {EventHandlers} from './events.js';

export function addAll<Key, Value>(known: Map<Key, Value>, added: ReadonlyMap<Key, Value>, what: string): void {
	for (const [key, value] of added) {
		if (known.has(key)) {
			throw new TypeError(`Expected each ${what} once, got "${key}" again`);
		}

		known.set(key, value);
	}
}

export function addCommand<Session, Config>(
	{commands, aliases}: {commands: Map<string, Command<Session, Config>>; aliases: Map<string, string>},
	command: Command<Session, Config>,
): void {
	const names = [command.name, ...(command.aliases ?? [])];
	for (const name of names) {
		if (!/^\S+( \S+){0,3}$/.test(name)) {
			throw new TypeError(`Expected a command of one to four words with a space between them, got "${name}"`);
		}

		const key = name.toLowerCase();
		if (commands.has(key) || aliases.has(key)) {
			throw new TypeError(`Expected each command once, got "${name}" again`);
		}

		if (name === command.name) {
			commands.set(key, command);
		} else {
			aliases.set(key, command.name.toLowerCase());
		}
	}
}

/** Finds a pattern in the text of a message. */
export function matcherOf(pattern: RegExp): (text: string) => RegExpMatchArray | null {
	if (!(pattern instanceof RegExp)) {
		throw new TypeError(`Expected .hears() with a pattern such as /hello/i, got ${typeof pattern}`);
	}

	// A pattern with `g` or `y` remembers where it stopped, which must not leak from one message to the next.
	const stateless = new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ''));
	const match = (text: string) => text.match(stateless);
	return Object.defineProperty(match, 'name', {value: `hears ${pattern}`});
}

export function addEvents<Config>(known: Partial<EventHandlers<Config>>, added: Partial<EventHandlers<Config>>): void {
	const again = Object.keys(added).find(name => name in known);
	if (again !== undefined) {
		throw new TypeError(`Expected each trigger once, got "${again}" again`);
	}

	Object.assign(known, added);
}
