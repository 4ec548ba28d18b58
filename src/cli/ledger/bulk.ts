// Changes many sends or deliveries: lists them, asks the user for their number, then works through them at a rate.

import {createInterface} from 'node:readline/promises';
import {setTimeout as sleep} from 'node:timers/promises';
import {CommandError, type Terminal} from '../once.js';
import {printable} from '../paint.js';

export interface BulkOptions {
	/** The expected number. Without it, the terminal asks; a command without a terminal changes nothing. */
	readonly yes?: number;
	/** How many per second. */
	readonly rate: number;
}

export interface Bulk<Item> {
	/** `retry`. */
	readonly verb: string;
	/** `sends`. */
	readonly things: string;
	readonly items: readonly Item[];
	describe(item: Item): string;
	/** False, or an error, if it did not succeed. The others continue. */
	act(item: Item): Promise<boolean>;
}

/** How many are listed before the question. */
const SHOWN = 5;

const TELL_EVERY_SECONDS = 10;

/** Returns the exit code: 1 if some did not succeed. */
export async function actOnAll<Item>(
	terminal: Terminal,
	{verb, things, items, describe, act}: Bulk<Item>,
	{yes, rate}: BulkOptions,
): Promise<number> {
	if (yes !== undefined && yes !== items.length) {
		throw new CommandError(`--yes: expected ${items.length}, the number of ${things} that match now, found ${yes}`);
	}

	if (yes === undefined) {
		terminal.print(`Would ${verb} ${items.length} ${things}${items.length > 0 ? ':' : '.'}`);
		for (const item of items.slice(0, SHOWN)) {
			terminal.print(`  ${printable(describe(item))}`);
		}

		if (items.length > SHOWN) {
			terminal.print(`  … and ${items.length - SHOWN} more`);
		}

		if (items.length === 0 || !(await isConfirmed(terminal, items.length))) {
			terminal.note(`Nothing has changed.${items.length > 0 ? ` To do it, add: --yes ${items.length}` : ''}`);
			return 0;
		}
	}

	let failed = 0;
	for (const [index, item] of items.entries()) {
		const isDone = await act(item).catch((error: Error) => {
			terminal.note(printable(`${describe(item)}: ${error.message}`));
			return false;
		});
		failed += isDone ? 0 : 1;
		const done = index + 1;
		if (done % (rate * TELL_EVERY_SECONDS) === 0) {
			terminal.note(`${done} of ${items.length}`);
		}

		if (done < items.length) {
			await sleep(1000 / rate);
		}
	}

	terminal.print(`${verb}: ${items.length - failed} of ${items.length} ${things}. Failed: ${failed}.`);
	return failed === 0 ? 0 : 1;
}

async function isConfirmed({input, note}: Terminal, count: number): Promise<boolean> {
	if (!('isTTY' in input) || input.isTTY !== true) {
		return false;
	}

	note(`Type ${count} to do it, or press Enter to cancel:`);
	const lines = createInterface({input});
	const {value} = await lines[Symbol.asyncIterator]().next();
	lines.close();
	return value === String(count);
}
