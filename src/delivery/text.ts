// Cleans a text before it is stored, so that the service takes it unchanged.

/** Maximum characters of a message (service-facts.md 2.2). The service cuts longer ones silently. */
export const LONGEST_TEXT = 10_000;

/** Half a surrogate pair or a null byte makes a whole message fail, here or at the service. U+FFFD replaces it. */
export function wellFormed(text: string): string {
	return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

/** Whether a text is longer than a message may be, counted as the service counts. */
export function isTooLong(text: string): boolean {
	return text.length > LONGEST_TEXT && (text.length > 2 * LONGEST_TEXT || [...text].length > LONGEST_TEXT);
}

const TRUNCATED = '\n[message truncated]';

/** Cuts a text as the service does. */
export function cut(text: string): string {
	return isTooLong(text)
		? [...text.slice(0, 2 * LONGEST_TEXT)].slice(0, LONGEST_TEXT - TRUNCATED.length).join('') + TRUNCATED
		: text;
}
