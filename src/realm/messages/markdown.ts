// Turns a message's Markdown into HTML, and tells whom it mentions. No HTML of the author's passes.

import MarkdownIt from 'markdown-it';
import type {Account} from '../people/accounts.js';
import type {Store} from '../store/store.js';
import {linkChannel} from './channel-link-rule.js';
import {linkify} from './linkifier-rule.js';
import {type Mentions, type MessageEnv, mention} from './mention-rule.js';
import {isSafeLink} from './safe-link.js';
import {globalTime} from './time-rule.js';

export interface Rendered {
	readonly html: string;
	readonly mentions: Mentions;
}

/** Channel links and mentions are resolved as `author` sees the organization. */
export function renderMarkdown(store: Store, content: string, author?: Account): Rendered {
	const mentions: Mentions = {
		userIds: new Set(),
		groupIds: new Set(),
		hasChannelWildcard: false,
		hasTopicWildcard: false,
	};
	const env: MessageEnv = {store, author, mentions, isQuoted: false};
	const html = markdown.render(content, env).trimEnd();

	return {html, mentions};
}

const markdown = new MarkdownIt({html: false, linkify: true, breaks: true});

// Pictures would be fetched by everybody who looks on.
markdown.disable('image');
markdown.inline.ruler.before('emphasis', 'mention', mention);
markdown.inline.ruler.before('emphasis', 'channel_link', linkChannel);
markdown.inline.ruler.before('autolink', 'global_time', globalTime);

markdown.core.ruler.before('text_join', 'linkifiers', linkify);
markdown.validateLink = isSafeLink;

// Whoever is quoted mentioned somebody; the one who quotes does not.
markdown.core.ruler.at('inline', state => {
	const env = state.env as MessageEnv;
	let depth = 0;
	for (const token of state.tokens) {
		depth += token.type === 'blockquote_open' ? 1 : token.type === 'blockquote_close' ? -1 : 0;
		if (token.type === 'inline') {
			const innerEnv: MessageEnv = {...env, isQuoted: env.isQuoted || depth > 0};
			state.md.inline.parse(token.content, state.md, innerEnv, token.children ?? []);
		}
	}
});

const renderFence = markdown.renderer.rules.fence;
markdown.renderer.rules.fence = (tokens, index, options, env, renderer) => {
	const token = tokens[index];
	if (token?.info.trim() === 'quote') {
		const quoted: MessageEnv = {...(env as MessageEnv), isQuoted: true};
		return `<blockquote>\n${markdown.render(token.content, quoted)}</blockquote>\n`;
	}

	return renderFence?.(tokens, index, options, env, renderer) ?? '';
};
