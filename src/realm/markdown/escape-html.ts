const entities: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#x27;',
};

/** For text, and for attributes in double or single quotes. */
export function escapeHtml(text: string): string {
	return text.replace(/[&<>"']/g, character => entities[character] ?? character);
}

/** For text between tags only. Quotes stay unescaped, as in the service's output. */
export function escapeText(text: string): string {
	return text.replace(/[&<>]/g, character => entities[character] ?? character);
}
