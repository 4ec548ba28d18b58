// Applies linkifiers to the text of a message. Links and code stay unchanged.

import type {StateCore, Token} from 'markdown-it';
import {findLinks} from '../linkifiers/find-links.js';
import {listLinkifiers} from '../linkifiers/linkifiers.js';
import type {MessageEnv} from './mention-rule.js';

export function linkify(state: StateCore): void {
	// renderMarkdown made the state, so `env` has this type.
	const linkifiers = listLinkifiers((state.env as MessageEnv).store);
	if (linkifiers.length === 0) {
		return;
	}

	for (const block of state.tokens) {
		let depth = 0;
		block.children = (block.children ?? []).flatMap(token => {
			depth += token.type === 'link_open' ? 1 : token.type === 'link_close' ? -1 : 0;
			return depth === 0 && token.type === 'text' ? split(state, token, findLinks(linkifiers, token.content)) : [token];
		});
	}
}

function split(state: StateCore, token: Token, links: ReturnType<typeof findLinks>): Token[] {
	const tokens: Token[] = [];
	const add = (type: string, tag: string, nesting: -1 | 0 | 1) => {
		const added = new state.Token(type, tag, nesting);
		tokens.push(added);
		return added;
	};
	let end = 0;
	for (const {index, text, url} of links) {
		add('text', '', 0).content = token.content.slice(end, index);
		add('link_open', 'a', 1).attrs = [['href', url]];
		add('text', '', 0).content = text;
		add('link_close', 'a', -1);
		end = index + text.length;
	}

	add('text', '', 0).content = token.content.slice(end);
	return tokens;
}
