// Parses searches, and marks the matches in messages.

import {escapeHtml} from '../../markdown/escape-html.js';
import type {MessageRow} from '../rows.js';
import {displayTopic} from '../text.js';

/** Words, and phrases in quotes. All must match. Nothing looks for the most frequent words, except within phrases. */
export function searchWords(text: string): string[] {
	return [...text.matchAll(/"([^"]+)"|([^\s"]+)/g)]
		.filter(([, phrase, word = '']) => phrase !== undefined || !isFrequent(word))
		.map(([, phrase, word]) => phrase ?? word ?? '');
}

/** The words that nothing looks for. */
export const stopWords = `i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she
	her hers herself it its itself they them their theirs themselves what which who whom this that these those am is are
	was were be been being have has had having do does did doing a an the and but if or because as until while of at by
	for with about against between into through during before after above below to from up down in out on off over under
	again further then once here there when where why how all any both each few more most other some such no nor not only
	own same so than too very s t can will just don should now b c d e f g h j k l m n o p q r u v w x y z`.split(/\s+/);

function isFrequent(word: string): boolean {
	return stopWords.includes(word.toLowerCase());
}

/** Text and topic as HTML in which the words are marked that hold what was found; without words nothing is marked. */
export function presentMatches(
	row: MessageRow,
	words: readonly string[],
	{allowEmptyTopicName}: {allowEmptyTopicName: boolean},
) {
	const topic = row.channel_id === null ? '' : displayTopic(row.topic, allowEmptyTopicName);

	return {match_content: highlight(row.rendered_content, words), match_subject: highlight(escapeHtml(topic), words)};
}

function highlight(html: string, words: readonly string[]): string {
	// Of a phrase, each word is marked.
	const single = words.flatMap(word => word.split(/\s+/)).filter(word => word !== '' && !isFrequent(word));
	if (single.length === 0) {
		return html;
	}

	const found = single.map(word => escapeHtml(word).replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('|');
	// Skips whole tags and entities, so that no match is inside one.
	const parts = new RegExp(`<[^>]*>|([\\p{L}\\p{N}_]*(?:${found})[\\p{L}\\p{N}_]*)|&[#\\w]+;`, 'giu');

	return html.replace(parts, (part, word?: string) =>
		word === undefined ? part : `<span class="highlight">${part}</span>`,
	);
}
