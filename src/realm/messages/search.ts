// What a search looks for, and where in a message it was found.

import {escapeHtml} from './escape-html.js';
import type {MessageRow} from './rows.js';
import {displayTopic} from './text.js';

/** Words, and phrases that stand in quotes; all must be found. */
export function searchWords(text: string): string[] {
	return [...text.matchAll(/"([^"]+)"|([^\s"]+)/g)].map(([, phrase, word]) => phrase ?? word ?? '');
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
	if (words.length === 0) {
		return html;
	}

	const found = words.map(word => escapeHtml(word).replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('|');
	// Tags and entities are taken whole, so that no word is found inside of one.
	const parts = new RegExp(`<[^>]*>|([\\p{L}\\p{N}_]*(?:${found})[\\p{L}\\p{N}_]*)|&[#\\w]+;`, 'giu');

	return html.replace(parts, (part, word?: string) =>
		word === undefined ? part : `<span class="highlight">${part}</span>`,
	);
}
