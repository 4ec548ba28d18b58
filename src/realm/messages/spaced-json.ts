// Writes JSON as the service stores it: with a space after each comma and colon, in ASCII.

export function spacedJson(value: unknown): string {
	if (Array.isArray(value)) {
		return `[${value.map(spacedJson).join(', ')}]`;
	}

	if (typeof value === 'object' && value !== null) {
		const fields = Object.entries(value).map(([key, each]) => `${spacedJson(key)}: ${spacedJson(each)}`);
		return `{${fields.join(', ')}}`;
	}

	return JSON.stringify(value).replace(
		/[\u0080-\uffff]/g,
		unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);
}
