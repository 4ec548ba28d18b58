// People's words, repeated without effect.

/** A character without width: it parts what would be a mention together, and nobody sees it. */
const ZERO_WIDTH_SPACE = '\u200b';

/**
 * The same words, inert: mentions of people, groups and everybody, and links to channels and topics, show as they were
 * written and reach nobody.
 */
export function quote(text: string): string {
	return text.replace(/([@#])(?=_?\*)/g, `$1${ZERO_WIDTH_SPACE}`);
}
