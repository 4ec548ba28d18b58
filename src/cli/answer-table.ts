// An answer of the service for people's eyes: lists as tables, everything else a field a line.

import {printable} from './paint.js';

/** Longest value that a table shows. */
const CELL = 40;

export function answerTable(answer: object): string {
	const fields = Object.entries(answer).filter(([name]) => name !== 'result' && name !== 'msg');
	return (
		fields.map(([name, value]) => (isList(value) ? list(name, value) : `${name}: ${whole(value)}`)).join('\n') ||
		'Done.'
	);
}

/** Rows whose cells stand below each other. */
export function columns(rows: readonly (readonly string[])[]): string {
	const widths = (rows[0] ?? []).map((_, index) => Math.max(...rows.map(row => row[index]?.length ?? 0)));
	return rows
		.map(row =>
			row
				.map((cell, index) => cell.padEnd(widths[index] ?? 0))
				.join('  ')
				.trimEnd(),
		)
		.join('\n');
}

type Row = Readonly<Record<string, unknown>>;

function isList(value: unknown): value is readonly Row[] {
	return (
		Array.isArray(value) &&
		value.length > 0 &&
		value.every(item => typeof item === 'object' && item !== null && !Array.isArray(item))
	);
}

function list(name: string, rows: readonly Row[]): string {
	const names = [...new Set(rows.flatMap(row => Object.keys(row)))];
	const body = rows.map(row => names.map(column => short(row[column])));
	return `${name}:\n${columns([names, ...body])}`;
}

function whole(value: unknown): string {
	return printable(typeof value === 'string' ? value : JSON.stringify(value));
}

function short(value: unknown): string {
	const text = value === undefined ? '' : whole(value).replace(/\s+/g, ' ');
	return text.length > CELL ? `${text.slice(0, CELL - 1)}…` : text;
}
