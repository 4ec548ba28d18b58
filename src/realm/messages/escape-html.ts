const entities: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#x27;',
};

/** For text and for attributes in double or single quotes. */
export function escapeHtml(text: string): string {
	return text.replace(/[&<>"']/g, character => entities[character] ?? character);
}

/** For text between tags alone, as the service writes it: quotes stay. */
export function escapeText(text: string): string {
	return text.replace(/[&<>]/g, character => entities[character] ?? character);
}
