// Renders a message's Markdown to HTML as the service does, and collects its mentions. HTML in the source is escaped. The rules
// differ from CommonMark: `_` is no emphasis, `\` escapes nothing, and there are no reference links.

import MarkdownIt from 'markdown-it';
import type {Account} from '../people/accounts.js';
import type {Store} from '../store/store.js';
import {
	readList,
	readParagraph,
	readQuote,
	readTable,
	renderCell,
	renderNestedList,
	separateLists,
} from './block-rules.js';
import {linkChannel} from './channel-link-rule.js';
import {readShortcode, readUnicodeEmoji} from './emoji-rule.js';
import {readCode, readEmphasis, readTex} from './emphasis-rule.js';
import {escapeText} from './escape-html.js';
import {readFence, renderCodeBlock, renderFence} from './fence-rule.js';
import {completeQuotes, nestNumbered} from './line-rules.js';
import {linkBare, linkNamed} from './link-rule.js';
import {linkify} from './linkifier-rule.js';
import {type Mentions, type MessageEnv, mention} from './mention-rule.js';
import {addPreviews} from './preview-rule.js';
import {readText} from './text-rule.js';
import {globalTime} from './time-rule.js';

export interface Rendered {
	readonly html: string;
	readonly mentions: Mentions;
}

/** Channel links are resolved with the rights of `author`. Without an author, all channels are visible. */
export function renderMarkdown(store: Store, content: string, author?: Account): Rendered {
	const mentions: Mentions = {
		userIds: new Set(),
		groupIds: new Set(),
		hasChannelWildcard: false,
		hasTopicWildcard: false,
	};
	const env: MessageEnv = {store, author, mentions, isQuoted: false, depth: 0};
	const html = markdown.render(content, env).trimEnd();

	return {html, mentions};
}

/** Limit for nested quotes and spoilers. */
const MAX_DEPTH = 10;

const markdown = new MarkdownIt({html: false, breaks: true});
const {core, block, inline, renderer} = markdown;

markdown.disable(['lheading', 'reference', 'escape', 'link', 'image', 'autolink', 'emphasis', 'strikethrough']);
markdown.disable(['backticks', 'newline', 'entity', 'html_block', 'html_inline']);

core.ruler.at('normalize', state => {
	const lines = state.src.split(/\r\n?|\n/).map(expandTabs);
	state.src = nestNumbered(completeQuotes(separateLists(lines))).join('\n');
});
// A mention inside a quote notifies nobody.
core.ruler.at('inline', state => {
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
core.ruler.before('text_join', 'linkifiers', linkify);
core.ruler.push('previews', addPreviews);

block.ruler.at('fence', readFence, {alt: ['paragraph', 'blockquote', 'list']});
block.ruler.at('list', readList(block), {alt: ['paragraph', 'blockquote']});
block.ruler.at('blockquote', readQuote(block), {alt: ['paragraph', 'blockquote', 'list']});
block.ruler.at('table', readTable(block));
block.ruler.at('paragraph', readParagraph);

inline.ruler.at('text', readText);
inline.ruler.push('code', readCode);
inline.ruler.push('tex', readTex);
inline.ruler.push('mention', mention);
inline.ruler.push('channel_link', linkChannel);
inline.ruler.push('global_time', globalTime);
inline.ruler.push('named_link', linkNamed);
inline.ruler.push('bare_link', linkBare);
inline.ruler.push('asterisks', readEmphasis);
inline.ruler.push('shortcode', readShortcode);
inline.ruler.push('unicode_emoji', readUnicodeEmoji);
inline.ruler.push('line_break', (state, onlyLook) => {
	if (state.src[state.pos] !== '\n') {
		return false;
	}

	if (!onlyLook) {
		state.push('hardbreak', 'br', 0);
	}

	state.pos++;
	return true;
});

renderer.rules.text = (tokens, index) => escapeText(tokens[index]?.content ?? '');
renderer.rules.code_inline = (tokens, index) => `<code>${escapeText(tokens[index]?.content ?? '')}</code>`;
renderer.rules.code_block = (tokens, index) => renderCodeBlock(`${(tokens[index]?.content ?? '').trimEnd()}\n`);
renderer.rules.fence = (tokens, index, _options, env) => {
	const outer = env as MessageEnv;
	const render = (text: string, isQuoted: boolean) => {
		const inner: MessageEnv = {...outer, isQuoted: outer.isQuoted || isQuoted, depth: outer.depth + 1};
		return markdown.render(text, inner);
	};
	const token = tokens[index];
	return token ? renderFence(token, outer.depth < MAX_DEPTH ? render : undefined) : '';
};
renderer.rules.bullet_list_open = renderNestedList;
renderer.rules.ordered_list_open = renderNestedList;
renderer.rules.th_open = renderCell;
renderer.rules.td_open = renderCell;

/** Expands a tab to the next multiple of four columns. */
function expandTabs(line: string): string {
	return line.includes('\t')
		? line.replaceAll(/([^\t]*)\t/g, (_, before: string) => before + ' '.repeat(4 - ([...before].length % 4)))
		: line;
}
