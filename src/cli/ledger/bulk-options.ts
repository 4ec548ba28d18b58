// The options of commands that change many sends or deliveries.

import {InvalidArgumentError} from 'commander';

export function parseCount(text: string): number {
	const count = Number(text);
	if (!Number.isInteger(count) || count < 1) {
		throw new InvalidArgumentError('Expected a whole number of at least 1.');
	}

	return count;
}

export const YES = [
	'--yes <count>',
	'do not ask, and act only if exactly this many match. Without it, the command shows the number',
	parseCount,
] as const;

export const RATE = ['--rate <n>', 'how many per second', parseCount, 10] as const;
