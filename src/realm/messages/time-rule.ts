// Reads `<time:2026-05-01T09:30:00+02:00>`, a time that everybody sees in their own zone.

import type {StateInline} from 'markdown-it';
import {escapeHtml} from './escape-html.js';

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
	const date = new Date(/^\d+$/.test(text) ? Number(text) * 1000 : text);
	if (Number.isNaN(date.getTime())) {
		return `<span class="timestamp-error">Invalid time format: ${escapeHtml(text)}</span>`;
	}

	return `<time datetime="${date.toISOString().replace(/\.\d+Z$/, 'Z')}">${escapeHtml(text)}</time>`;
}
