// What every text fulfils before it is stored: the service takes it as it is.

/** Characters of a message (service-facts.md 2.2). The service cuts longer ones without a word. */
export const LONGEST_TEXT = 10_000;

/** Half a surrogate pair or a null byte fails a whole message, here or at the service: U+FFFD takes its place. */
export function wellFormed(text: string): string {
	return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

/** Whether a text has more characters, as the service counts them, than a message may. */
export function isTooLong(text: string): boolean {
	return text.length > LONGEST_TEXT && (text.length > 2 * LONGEST_TEXT || [...text].length > LONGEST_TEXT);
}

const TRUNCATED = '\n[message truncated]';

/** As the service cuts it. */
export function cut(text: string): string {
	return isTooLong(text)
		? [...text.slice(0, 2 * LONGEST_TEXT)].slice(0, LONGEST_TEXT - TRUNCATED.length).join('') + TRUNCATED
		: text;
}
