// Prints an answer of the service: lists as tables, each other field on a line of its own.

import {printable} from '../paint.js';

/** Longer values are truncated. */
const CELL = 40;

export function answerTable(answer: object): string {
	const fields = Object.entries(answer).filter(([name]) => name !== 'result' && name !== 'msg');
	return printable(fields.map(([name, value]) => field(name, value)).join('\n')) || 'Done.';
}

function field(name: string, value: unknown): string {
	if (isList(value)) {
		return list(name, value);
	}

	return isRow(value) && Object.keys(value).length > 0 ? inner(name, value) : `${name}: ${whole(value)}`;
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
	return Array.isArray(value) && value.length > 0 && value.every(isRow);
}

function isRow(value: unknown): value is Row {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function inner(name: string, row: Row): string {
	return `${name}:\n${columns(Object.entries(row).map(([key, value]) => [`  ${key}`, whole(value)]))}`;
}

function list(name: string, rows: readonly Row[]): string {
	const names = fittingNames(rows);
	const body = rows.map(row => names.map(column => short(row[column])));
	return `${name}:\n${columns([names, ...body])}`;
}

/** Assumed width of the terminal, in characters. */
const WIDTH = 80;

/** These columns come first. The others follow in the service's order as long as there is room. */
const FIRST = ['id', 'user_id', 'stream_id', 'full_name', 'sender_full_name', 'name', 'subject', 'topic', 'content'];

function fittingNames(rows: readonly Row[]): string[] {
	const names = [...new Set(rows.flatMap(row => Object.keys(row)))];
	const widthOf = (name: string) => Math.max(name.length, ...rows.map(row => short(row[name]).length));
	if (names.reduce((sum, name) => sum + widthOf(name) + 2, -2) <= WIDTH) {
		return names;
	}

	let room = WIDTH + 2;
	const first = FIRST.filter(name => names.includes(name));
	const fitting = new Set(
		[...first, ...names.filter(name => !FIRST.includes(name))].filter(name => {
			const fits = widthOf(name) + 2 <= room;
			room -= fits ? widthOf(name) + 2 : 0;
			return fits;
		}),
	);
	return names.filter(name => fitting.has(name));
}

function whole(value: unknown): string {
	return typeof value === 'string' ? value : JSON.stringify(value);
}

function short(value: unknown): string {
	const text = value === undefined ? '' : whole(value).replace(/\s+/g, ' ');
	return text.length > CELL ? `${text.slice(0, CELL - 1)}…` : text;
}
