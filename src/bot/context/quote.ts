// Repeats people's text so that it notifies nobody.

/** A zero-width character that breaks up mentions. Readers do not see it. */
const ZERO_WIDTH_SPACE = '\u200b';

/**
 * The same text, but mentions of people, groups and everybody, and links to channels and topics, are shown as plain text and
 * notify nobody.
 */
export function quote(text: string): string {
	return text.replace(/([@#])(?=_?\*)/g, `$1${ZERO_WIDTH_SPACE}`);
}
