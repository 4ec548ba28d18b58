// Encodes the parameters of a call for its path, query string or form body (spec.md, convention 1).

import type {FormData} from 'undici';
import {encodeValue, type Operation, pathParameters} from '../api/index.js';
import {loadUndici} from './undici.js';

export interface Encoded {
	readonly path: string;
	/** Form body; multipart if there is a file. Absent for a GET. */
	readonly body: string | FormData | undefined;
}

type Given = Readonly<Record<string, unknown>>;

/** `level` is the server's feature level, if the call depends on it. */
export type Encode = (parameters: Given, level: number | undefined) => Encoded;

/** Computed once per operation, before the first call. */
export function createEncode({name: operation, method, path, parameters: declared}: Operation): Encode {
	const inPath = new Set(pathParameters(path));
	const parts = path.split(/\{(\w+)\}/);

	function fill(parameters: Given): string {
		return parts.map((part, index) => (index % 2 === 0 ? part : encodeURIComponent(String(parameters[part])))).join('');
	}

	return function encode(parameters, level) {
		const fields: [string, string | File][] = [];
		for (const [name, value] of Object.entries(parameters)) {
			const parameter = Object.hasOwn(declared, name) ? declared[name] : undefined;
			if (!parameter) {
				throw new TypeError(`${operation} has no parameter \`${name}\``);
			}

			if (value !== undefined && !inPath.has(name)) {
				const {formerly} = parameter;
				const wireName = formerly && level !== undefined && level < formerly.until ? formerly.name : name;
				fields.push([wireName, value instanceof File ? value : encodeValue(value, parameter.encoding)]);
			}
		}

		return place(method, inPath.size > 0 ? fill(parameters) : path, fields);
	};
}

/** A call that is not in the table. Strings are sent as they are, everything else as JSON. */
export function encodeRaw(method: string, path: string, parameters: Given): Encoded {
	if (!path.startsWith('/')) {
		throw new TypeError(`Expected a path that starts with a slash, got "${path}"`);
	}

	const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
	return place(
		method,
		encodePath(path),
		given.map(([name, value]) => [name, encodeValue(value, 'text')]),
	);
}

/** Keeps text that is already percent-encoded. */
function encodePath(path: string): string {
	return path.replaceAll(/%(?![\da-f]{2})|[^\x21-\x7e]|["#<>\\^`{|}]/giu, sign => encodeURIComponent(sign));
}

function place(method: string, path: string, fields: [string, string | File][]): Encoded {
	const texts = fields.filter((field): field is [string, string] => typeof field[1] === 'string');
	if (texts.length < fields.length) {
		return {path, body: multipart(fields)};
	}

	const form = fields.length > 0 ? new URLSearchParams(texts).toString() : '';
	if (method !== 'GET') {
		return {path, body: form};
	}

	return {path: form === '' ? path : `${path}?${form}`, body: undefined};
}

function multipart(fields: [string, string | File][]): FormData {
	const form = new (loadUndici().FormData)();
	for (const [name, value] of fields) {
		form.append(name, value);
	}

	return form;
}
