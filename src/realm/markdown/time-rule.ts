// Parses `<time:2026-05-01T09:30:00+02:00>`, which each reader sees in their own time zone.

import type {StateInline} from 'markdown-it';
import {escapeText} from './escape-html.js';

const pattern = /<time:(?<text>[^>\n]+)>/y;

export function globalTime(state: StateInline, onlyLook: boolean): boolean {
	pattern.lastIndex = state.pos;
	const text = pattern.exec(state.src)?.groups?.text;
	if (text === undefined) {
		return false;
	}

	if (!onlyLook) {
		state.push('html_inline', '', 0).content = render(text);
	}

	state.pos = pattern.lastIndex;
	return true;
}

function render(text: string): string {
	const date = new Date(/^\d+$/.test(text) ? Number(text) * 1000 : inUtc(text));
	if (Number.isNaN(date.getTime())) {
		return `<span class="timestamp-error">Invalid time format: ${escapeText(text)}</span>`;
	}

	return `<time datetime="${date.toISOString().replace(/\.\d+Z$/, 'Z')}">${escapeText(text)}</time>`;
}

/** A time without a zone is UTC. People also write `June 5th 2026, 10:30pm`. */
function inUtc(text: string): string {
	if (/^\d{4}-\d\d-\d\d/.test(text)) {
		return /[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/.test(text) ? `${text}Z` : text;
	}

	const plain = text.replaceAll(/(\d)(?:st|nd|rd|th)\b/gi, '$1').replace(/(\d)([ap]m)\b/i, '$1 $2');
	return /(?:\b(?:Z|UTC|GMT|[ECMP][SD]T)|[+-]\d\d:?\d\d)$/.test(plain.trim()) ? plain : `${plain} UTC`;
}
