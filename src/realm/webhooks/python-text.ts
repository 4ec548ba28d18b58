// Formats values as the service, a Python program, does: for replies that are no text, and for quotes to owners.

/** Strings stay unchanged. */
export function asPythonText(value: unknown): string {
	return typeof value === 'string' ? value : pythonLiteral(value);
}

export function pythonLiteral(value: unknown): string {
	if (typeof value === 'string') {
		return quote(value);
	}

	if (Array.isArray(value)) {
		return `[${value.map(pythonLiteral).join(', ')}]`;
	}

	if (typeof value === 'object' && value !== null) {
		const entries = Object.entries(value).map(([key, each]) => `${quote(key)}: ${pythonLiteral(each)}`);
		return `{${entries.join(', ')}}`;
	}

	const names = new Map<unknown, string>([
		[null, 'None'],
		[true, 'True'],
		[false, 'False'],
	]);
	return names.get(value) ?? String(value);
}

/** Bytes beyond ASCII are in hex. */
export function pythonBytes(bytes: Buffer): string {
	return `b${quote(bytes.toString('latin1')).replaceAll(/[\u0080-\u00ff]/g, byte => `\\x${hex(byte, 2)}`)}`;
}

const escapes: Readonly<Record<string, string>> = {'\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t'};

function quote(text: string): string {
	const sign = text.includes("'") && !text.includes('"') ? '"' : "'";
	const escaped = text
		.replaceAll(/[\\\n\r\t]/g, character => escapes[character] ?? character)
		.replaceAll(sign, `\\${sign}`)
		.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, character => {
			const code = character.codePointAt(0) ?? 0;
			return code < 0x100
				? `\\x${hex(character, 2)}`
				: code < 0x10000
					? `\\u${hex(character, 4)}`
					: `\\U${hex(character, 8)}`;
		});
	return `${sign}${escaped}${sign}`;
}

function hex(character: string, length: number): string {
	return (character.codePointAt(0) ?? 0).toString(16).padStart(length, '0');
}

/** Whether Python counts a value as true. */
export function isTruthy(value: unknown): boolean {
	return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);
}
