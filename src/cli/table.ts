// Formats tables for the terminal: a header, and rows that may have notes below them.

import {printable} from './paint.js';

/** Assumed width of the terminal. */
const WIDTH = 80;
const INDENT = '  ';

export interface Row {
	readonly cells: readonly string[];
	/** Lines below the row, truncated to the width. */
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

/** Indents and truncates notes. */
export function noteLines(notes: readonly string[] = []): string[] {
	return notes.filter(note => note !== '').map(note => INDENT + cut(printable(note).replaceAll('\n', ' ')));
}

function cut(text: string): string {
	const width = WIDTH - INDENT.length;
	return text.length > width ? `${text.slice(0, width - 1)}…` : text;
}
