// Paragraphs, lists and tables, where the service differs from CommonMark.

import type {MarkdownIt, RendererRule, StateBlock} from 'markdown-it';
import {openingFence} from './fence-rule.js';

type BlockRule = (state: StateBlock, startLine: number, endLine: number, onlyLook: boolean) => boolean;

/**
 * As in CommonMark, but continuation lines keep their indentation. In a further paragraph of a list's item, two spaces for
 * each list belong to the list.
 */
export function readParagraph(state: StateBlock, startLine: number, endLine: number): boolean {
	const terminators = state.md.block.ruler.getRules('paragraph');
	const {parentType} = state;
	state.parentType = 'paragraph';
	let end = startLine + 1;
	while (end < endLine && !state.isEmpty(end) && !terminators.some(rule => rule(state, end, endLine, true))) {
		end++;
	}

	const first = state.src.slice(
		(state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0),
		state.eMarks[startLine],
	);
	const indent = state.isEmpty(startLine - 1) ? 2 * listDepth(state) : 0;
	const rest = end > startLine + 1 ? `\n${state.getLines(startLine + 1, end, indent, false)}` : '';
	state.line = end;
	const map: [number, number] = [startLine, end];
	state.push('paragraph_open', 'p', 1).map = map;
	const inline = state.push('inline', '', 0);
	inline.content = `${first.trimStart()}${rest}`;
	inline.map = map;
	inline.children = [];
	state.push('paragraph_close', 'p', -1);
	state.parentType = parentType;
	return true;
}

/** How many lists are open. */
function listDepth({tokens, blkIndent}: StateBlock): number {
	if (blkIndent === 0) {
		return 0;
	}

	return tokens.reduce((depth, {type, nesting}) => depth + (type.startsWith('list_item_') ? nesting : 0), 0);
}

/** A marker is `*`, `+`, `-` or `1.` and a space. A nested list begins right below the text of its item. */
export function readList(block: MarkdownIt['block']): BlockRule {
	const list = originalRule(block, 'list');
	return function readList(state, startLine, endLine, onlyLook) {
		const line = state.src.slice(
			(state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0),
			state.eMarks[startLine],
		);
		const indent = (state.sCount[startLine] ?? 0) - state.blkIndent;
		const isNested = state.listIndent >= 0 && indent > 1;
		if (!/^(?:[*+-]|\d+\.) /.test(line) || isNested) {
			return false;
		}

		// Below the text of an item, a list may begin with any number.
		const {parentType} = state;
		state.parentType = state.listIndent >= 0 ? 'list' : parentType;
		const isList = list(state, startLine, endLine, onlyLook);
		state.parentType = parentType;
		return isList;
	};
}

/** Signs without any text are no quote. */
export function readQuote(block: MarkdownIt['block']): BlockRule {
	const quote = originalRule(block, 'blockquote');
	return function readQuote(state, startLine, endLine, onlyLook) {
		const isEmptyQuote = (line: number) =>
			/^>\s*$/.test(state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]));
		let line = startLine;
		while (line < endLine && isEmptyQuote(line)) {
			line++;
		}

		return line < endLine && !state.isEmpty(line) && quote(state, startLine, endLine, onlyLook);
	};
}

/** If there is only one column, each line begins or ends with a bar. */
export function readTable(block: MarkdownIt['block']): BlockRule {
	const table = originalRule(block, 'table');
	return function readTable(state, startLine, endLine, onlyLook) {
		const lineAt = (line: number) => state.src.slice(state.bMarks[line], state.eMarks[line]).trim();
		if (!/^[|:-][|: -]+$/.test(lineAt(startLine + 1))) {
			return false;
		}

		const hasOneColumn = !lineAt(startLine).slice(1, -1).includes('|');
		for (let line = startLine; hasOneColumn && line < endLine && lineAt(line) !== ''; line++) {
			if (!/^\||\|$/.test(lineAt(line))) {
				return false;
			}
		}

		return table(state, startLine, endLine, onlyLook);
	};
}

function originalRule(block: MarkdownIt['block'], name: string): BlockRule {
	const rule = block.ruler.getRules('').find(each => each.name === name);
	if (!rule) {
		throw new Error(`Expected markdown-it to have the rule ${name}, found none`);
	}

	return rule as BlockRule;
}

/** A nested list may also begin on the line of its item's text. */
export const renderNestedList: RendererRule = (tokens, index, options, _env, renderer) =>
	renderer.renderToken(tokens, index, options).trimStart();

export const renderCell: RendererRule = (tokens, index, options, _env, renderer) =>
	renderer.renderToken(tokens, index, options).replace(/text-align:(\w+)/, 'text-align: $1;');

/** Separates a list from the text or the other kind of list above it, except in code. Items may have different bullets. */
export function separateLists(lines: readonly string[]): string[] {
	const open: {fence: string; isCode: boolean}[] = [];
	let above: RegExpExecArray | null = null;
	return lines.flatMap((given, index) => {
		const bullet = open.at(-1)?.isCode ? null : /^( *)([*+-])(?= )(?!(?: *[*-]){2,} *$)/.exec(given);
		const isSameList = bullet !== null && above?.[1] === bullet[1];
		const line = isSameList ? `${bullet[1]}${above?.[2]}${given.slice(bullet[0].length)}` : given;
		above = isSameList ? above : bullet;
		const innermost = open.at(-1);
		const fence = innermost?.isCode ? undefined : openingFence(line);
		if (line.trimEnd() === innermost?.fence) {
			open.pop();
		} else if (fence) {
			open.push({fence: fence.fence, isCode: !['quote', 'spoiler'].includes(fence.lang)});
		}

		const before = markerOf(lines[index - 1] ?? '');
		const marker = markerOf(line);
		const isApart = marker !== undefined && (lines[index - 1] ?? '') !== '' && marker !== before;
		return isApart && !innermost?.isCode ? ['', line] : [line];
	});
}

function markerOf(line: string): 'bullet' | 'number' | undefined {
	const marker = /^ *(?:([*+-])|\d\.) +/.exec(line);
	return marker ? (marker[1] ? 'bullet' : 'number') : undefined;
}
