// Formats tables for the terminal: a header, and rows that may have notes below them.

import {printable} from './paint.js';

const INDENT = '  ';

export interface Row {
	readonly cells: readonly string[];
	/** Lines below the row, truncated to the width of a terminal. */
	readonly notes?: readonly string[];
	paint?(cell: string, column: number): string;
}

/** Aligned lines; the first is the header. */
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

/** Indents notes, and truncates them to the width of a terminal. What goes into a file or another program stays whole. */
export function noteLines(notes: readonly string[] = []): string[] {
	return notes.filter(note => note !== '').map(note => INDENT + cut(printable(note).replaceAll('\n', ' ')));
}

function cut(text: string): string {
	// Some terminals do not know their width, and say 0.
	const width = (process.stdout.columns || Number.POSITIVE_INFINITY) - INDENT.length;
	return text.length > width ? `${text.slice(0, width - 1)}…` : text;
}
