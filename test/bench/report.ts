// One line per figure, beside its bound.

export interface Figure {
	readonly name: string;
	readonly value: number;
	readonly unit: string;
	/** Absent if the figure has no aim. */
	readonly bound?: {readonly atMost: number} | {readonly atLeast: number};
}

let missed = 0;

export function report({name, value, unit, bound}: Figure): void {
	const isMissed = bound !== undefined && ('atMost' in bound ? value > bound.atMost : value < bound.atLeast);
	const aim =
		bound === undefined ? '' : 'atMost' in bound ? ` (at most ${bound.atMost})` : ` (at least ${bound.atLeast})`;
	missed += isMissed ? 1 : 0;
	process.stdout.write(`${name}: ${value.toFixed(2)} ${unit}${aim}${isMissed ? ' OVER' : ''}\n`);
}

export function note(line: string): void {
	process.stdout.write(`  ${line}\n`);
}

/** How many figures missed their bound. */
export function missedFigures(): number {
	return missed;
}

export function median(values: readonly number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
