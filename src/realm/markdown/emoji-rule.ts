// Parses `:tada:` and 🎉.

import type {StateInline} from 'markdown-it';
import {pathOfCustomEmoji} from '../reactions/custom-emoji.js';
import {CUSTOM, type Emoji, lookUpEmoji, nameOfUnicodeEmoji} from '../reactions/emoji.js';
import {escapeHtml} from './escape-html.js';
import type {MessageEnv} from './mention-rule.js';

const shortcode = /:([\w+-]+):/y;
/** As in Unicode Technical Standard 51. */
const part = String.raw`(?:\p{RI}{2}|\p{Emoji}(?:\p{EMod}|\uFE0F\u20E3?|[\u{E0020}-\u{E007E}]+\u{E007F}|\u20E3)?)`;
const character = new RegExp(`${part}(?:\\u200D${part})*`, 'uy');

export function readShortcode(state: StateInline, onlyLook: boolean): boolean {
	shortcode.lastIndex = state.pos;
	const name = shortcode.exec(state.src)?.[1];
	const {store} = state.env as MessageEnv;
	const emoji = name === undefined ? undefined : lookUpEmoji(store, name);
	if (!emoji) {
		return false;
	}

	return place(state, {end: shortcode.lastIndex, html: render(state.env as MessageEnv, emoji), onlyLook});
}

export function readUnicodeEmoji(state: StateInline, onlyLook: boolean): boolean {
	character.lastIndex = state.pos;
	const found = character.exec(state.src)?.[0];
	const name = found === undefined ? undefined : nameOfUnicodeEmoji(found);
	const emoji = name === undefined ? undefined : lookUpEmoji((state.env as MessageEnv).store, name);
	if (emoji) {
		return place(state, {end: character.lastIndex, html: render(state.env as MessageEnv, emoji), onlyLook});
	}

	return readUnknownSequence(state, found, onlyLook);
}

/** The parts of an emoji that the service does not know are no emoji of their own. */
function readUnknownSequence(state: StateInline, found: string | undefined, onlyLook: boolean): boolean {
	if (!found?.includes('\u200d')) {
		return false;
	}

	state.pending += onlyLook ? '' : found;
	state.pos += found.length;
	return true;
}

function place(state: StateInline, {end, html, onlyLook}: {end: number; html: string; onlyLook: boolean}): true {
	if (!onlyLook) {
		state.push('html_inline', '', 0).content = html;
	}

	state.pos = end;
	return true;
}

function render({store}: MessageEnv, {name, code, type}: Emoji): string {
	const title = escapeHtml(name.replaceAll('_', ' '));
	if (type === 'unicode_emoji') {
		return `<span aria-label="${title}" class="emoji emoji-${code}" role="img" title="${title}">:${escapeHtml(name)}:</span>`;
	}

	const source =
		type === CUSTOM ? pathOfCustomEmoji(store, code) : `/static/generated/emoji/images/emoji/unicode/${code}.png`;
	return `<img alt=":${escapeHtml(name)}:" class="emoji" src="${escapeHtml(source)}" title="${title}">`;
}
