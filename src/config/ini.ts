// Reads config files by the rules of Python's configparser, which the ecosystem uses to read and write them.

export interface IniValue {
	readonly value: string;
	readonly line: number;
}

export interface IniSection {
	readonly name: string;
	readonly line: number;
	/** Values by key, keys in lower case. */
	readonly values: ReadonlyMap<string, IniValue>;
}

/** A file that is not a config file, with the place of the first error. */
export class IniError extends Error {
	override name = 'IniError' as const;

	constructor(file: string, line: number, expected: string, found: string) {
		super(`${file}:${line}: expected ${expected}, found ${found}`);
	}
}

interface Draft {
	name: string;
	line: number;
	values: Map<string, {lines: string[]; line: number}>;
}

/**
 * Sections of a config file. `=` and `:` both separate key and value, `#` and `;` start a comment only at the start of a
 * line, indented lines continue the value above, `[DEFAULT]` sets defaults for every section, `%%` is one percent sign.
 */
export function parseIni(text: string, file: string): IniSection[] {
	const sections: Draft[] = [];
	let section: Draft | undefined;
	const binary = text.split('\n').findIndex(line => /[\0\uFFFD]/.test(line));
	if (binary >= 0) {
		throw new IniError(file, binary + 1, 'text in UTF-8', 'other bytes. Save the file as UTF-8');
	}

	let open: {lines: string[]; indent: number} | undefined;

	for (const [index, raw] of text
		.replace(/^\uFEFF/, '')
		.split(/\r?\n/)
		.entries()) {
		const line = index + 1;
		const trimmed = raw.trim();
		const indent = raw.length - raw.trimStart().length;
		if (/^[#;]/.test(trimmed)) {
			continue;
		}

		if (trimmed === '') {
			open?.lines.push('');
			continue;
		}

		if (open && indent > open.indent) {
			open.lines.push(trimmed);
			continue;
		}

		if (trimmed === '[]') {
			throw new IniError(
				file,
				line,
				"the name of the bot's plugin between the brackets, such as `[echo]`",
				'empty brackets',
			);
		}

		const header = /^\[(.+)\]$/.exec(trimmed)?.[1];
		if (header !== undefined) {
			section = addSection(sections, {name: header, line, file});
			open = undefined;
			continue;
		}

		if (!section) {
			throw new IniError(file, line, 'a section such as `[echo]` first', 'a key outside of any section');
		}

		const [, key, value] = /^(.*?)\s*[=:]\s*(.*)$/.exec(trimmed) ?? [];
		if (!key) {
			throw new IniError(file, line, '`key = value`', 'a line without `=` or `:`');
		}

		open = {lines: [value ?? ''], indent};
		addValue(section, {key: key.toLowerCase(), entry: {lines: open.lines, line}, file});
	}

	return inherit(sections, file);
}

function addSection(sections: Draft[], {name, line, file}: {name: string; line: number; file: string}): Draft {
	const earlier = sections.find(section => section.name === name);
	if (earlier) {
		throw new IniError(file, line, 'each section once', `[${name}] again (first in line ${earlier.line})`);
	}

	const section: Draft = {name, line, values: new Map()};
	sections.push(section);
	return section;
}

function addValue(section: Draft, added: {key: string; entry: {lines: string[]; line: number}; file: string}): void {
	const earlier = section.values.get(added.key);
	if (earlier) {
		const found = `\`${added.key}\` again (first in line ${earlier.line})`;
		throw new IniError(added.file, added.entry.line, `each key once in [${section.name}]`, found);
	}

	section.values.set(added.key, added.entry);
}

function inherit(sections: readonly Draft[], file: string): IniSection[] {
	const defaults = sections.find(({name}) => name === 'DEFAULT');
	return sections
		.filter(section => section !== defaults)
		.map(({name, line, values}) => ({
			name,
			line,
			values: new Map([...(defaults?.values ?? []), ...values].map(([key, entry]) => [key, finish(entry, key, file)])),
		}));
}

function finish({lines, line}: {lines: string[]; line: number}, key: string, file: string): IniValue {
	const value = lines.join('\n').trimEnd();
	if (/%(?!%)/.test(value.replaceAll('%%', ''))) {
		throw new IniError(file, line, `\`${key}\` with each percent sign written as \`%%\``, 'a single percent sign');
	}

	return {value: value.replaceAll('%%', '%'), line};
}
