// Adds previews of linked pictures and videos below the paragraph or in the list item.

import type {StateCore, Token} from 'markdown-it';
import {escapeHtml} from './escape-html.js';
import type {MessageEnv} from './mention-rule.js';

/** Limit per message. */
const MAX_PREVIEWS = 24;

interface Link {
	readonly href: string;
	readonly text: string;
}

interface Preview {
	readonly html: string;
	readonly isPicture: boolean;
}

export function addPreviews(state: StateCore): void {
	if ((state.env as MessageEnv).isQuoted) {
		return;
	}

	const tokens: Token[] = [];
	let left = MAX_PREVIEWS;
	let quotes = 0;
	for (let index = 0; index < state.tokens.length; index++) {
		const [token, inline, close] = state.tokens.slice(index, index + 3);
		quotes += token?.type === 'blockquote_open' ? 1 : token?.type === 'blockquote_close' ? -1 : 0;
		const links = (token?.type === 'paragraph_open' && quotes === 0 && inline?.children?.flatMap(linkOf)) || [];
		const previews = links.flatMap(previewOf).slice(0, left);
		if (!token || !inline?.children || !close || previews.length === 0) {
			tokens.push(...(token ? [token] : []));
			continue;
		}

		left -= previews.length;
		index += 2;
		const html = new state.Token('html_block', '', 0);
		html.content = previews.map(each => each.html).join('');
		const isAlone = inline.children.length === 1 && links[0]?.href === links[0]?.text && previews[0]?.isPicture;
		const kept = isAlone ? [] : [token, inline, close];
		if (token.hidden) {
			inline.children = [...(isAlone ? [] : inline.children), html];
			tokens.push(token, inline, close);
		} else {
			tokens.push(...kept, html);
		}
	}

	state.tokens = tokens;
}

function linkOf(token: Token): Link[] {
	const link = token.meta as Link | null;
	return token.tag === 'a' && link ? [link] : [];
}

const video =
	/^(?:https?:\/\/)?(?:www\.)?(?:youtube\.com\/(?:watch\?(?:[^#\s]*&)?v=|embed\/|shorts\/)|youtu\.be\/)([\w-]{11})/;

function previewOf({href, text}: Link): Preview[] {
	const address = escapeHtml(href);
	const title = text === href ? '' : ` title="${escapeHtml(text)}"`;
	const path = /^(?:https?:\/\/[^/]+)?(\/[^?#]*)/.exec(href)?.[1]?.toLowerCase() ?? '';
	if (/\.(?:bmp|gif|jpe|jpeg|jpg|png|webp)$/.test(path)) {
		const html = `<div class="message_inline_image"><a href="${address}"${title}><img src="${address}"></a></div>`;
		return [{html, isPicture: true}];
	}

	if (/\.(?:mp4|webm)$/.test(path)) {
		const player = `<video preload="metadata" src="${address}"></video>`;
		const html = `<div class="message_inline_image message_inline_video"><a href="${address}"${title}>${player}</a></div>`;
		return [{html, isPicture: true}];
	}

	const [, id] = video.exec(href) ?? [];
	if (id === undefined) {
		return [];
	}

	const picture = `<img src="https://i.ytimg.com/vi/${id}/default.jpg">`;
	const html = `<div class="youtube-video message_inline_image"><a data-id="${id}" href="${address}"${title}>${picture}</a></div>`;
	return [{html, isPicture: false}];
}
