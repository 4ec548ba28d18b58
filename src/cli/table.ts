// Lists at a terminal: a header, a row for each thing, and what does not fit beside it on lines of its own below.

import {printable} from './paint.js';

/** Terminals are this wide. */
const WIDTH = 80;
const INDENT = '  ';

export interface Row {
	readonly cells: readonly string[];
	/** Below the cells, each cut where the terminal ends. */
	readonly notes?: readonly string[];
	paint?(cell: string, column: number): string;
}

/** Lines whose cells stand below each other; the first is the header. */
export function tableLines(header: readonly string[], rows: readonly Row[]): string[] {
	const widths = header.map((title, column) =>
		Math.max(title.length, ...rows.map(({cells}) => cells[column]?.length ?? 0)),
	);
	const lineOf = ({cells, paint = cell => cell}: Row) =>
		cells
			.map((cell, column) => paint(printable(cell), column) + ' '.repeat((widths[column] ?? 0) - cell.length))
			.join('  ')
			.trimEnd();
	return [lineOf({cells: header}), ...rows.flatMap(row => [lineOf(row), ...noteLines(row.notes)])];
}

/** Indented, each cut where the terminal ends. */
export function noteLines(notes: readonly string[] = []): string[] {
	return notes.filter(note => note !== '').map(note => INDENT + cut(printable(note).replaceAll('\n', ' ')));
}

function cut(text: string): string {
	const width = WIDTH - INDENT.length;
	return text.length > width ? `${text.slice(0, width - 1)}…` : text;
}
