// Prepares the lines of a message, where the service reads lists and quotes differently from CommonMark.

import {openingFence} from './fence-rule.js';

/** Which lines are code. */
function codeLines(lines: readonly string[]): boolean[] {
	const open: {fence: string; isCode: boolean}[] = [];
	return lines.map(line => {
		const innermost = open.at(-1);
		if (line.trimEnd() === innermost?.fence) {
			open.pop();
			return true;
		}

		const fence = innermost?.isCode ? undefined : openingFence(line);
		if (fence) {
			open.push({fence: fence.fence, isCode: !['quote', 'spoiler'].includes(fence.lang)});
		}

		return fence !== undefined || (innermost?.isCode ?? false);
	});
}

const item = /^(?<indent> *)(?<marker>[*+-]|\d+\.) +/;

/** Two spaces nest an item, also in a numbered list, where CommonMark needs three. */
export function nestNumbered(lines: readonly string[]): string[] {
	const isCode = codeLines(lines);
	let above: string[] = [];
	return lines.map((line, index) => {
		const {indent = '', marker} = item.exec(line)?.groups ?? {};
		if (isCode[index] || (marker === undefined && /^\S/.test(line) && (lines[index - 1] ?? '') === '')) {
			above = [];
			return line;
		}

		const level = above.length === 0 && indent.length < 4 ? 0 : Math.floor(indent.length / 2);
		if (marker === undefined || level > above.length) {
			return line;
		}

		above = [...above.slice(0, level), marker];
		const parents = above.slice(0, level);
		const isBelowNumber = parents.some(each => each.endsWith('.'));
		return isBelowNumber
			? ' '.repeat(parents.reduce((sum, each) => sum + each.length + 1, 0)) + line.slice(indent.length)
			: line;
	});
}

/** A quote goes on until the next empty line. */
export function completeQuotes(lines: readonly string[]): string[] {
	const isCode = codeLines(lines);
	const isQuote = (line: string) => /^ {0,3}>/.test(line);
	let isOpen = false;
	return lines.map((line, index) => {
		if (isCode[index] || line.trim() === '') {
			isOpen = false;
			return line;
		}

		isOpen ||= isQuote(line);
		return isOpen && !isQuote(line) ? `> ${line}` : line;
	});
}
