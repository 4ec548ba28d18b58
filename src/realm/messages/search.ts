// Parses searches, and marks the matches in messages.

import {escapeHtml} from '../markdown/escape-html.js';
import type {MessageRow} from './rows.js';
import {displayTopic} from './text.js';

/** Words, and phrases in quotes. All must match. */
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
	// Skips whole tags and entities, so that no match is inside one.
	const parts = new RegExp(`<[^>]*>|([\\p{L}\\p{N}_]*(?:${found})[\\p{L}\\p{N}_]*)|&[#\\w]+;`, 'giu');

	return html.replace(parts, (part, word?: string) =>
		word === undefined ? part : `<span class="highlight">${part}</span>`,
	);
}
