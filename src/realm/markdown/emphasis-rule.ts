// Parses `**strong**`, `*em*`, `***both***`, `~~del~~`, `` `code` `` and `$$tex$$`.

import type {StateInline} from 'markdown-it';
import {escapeText} from './escape-html.js';

const code = /(`+)([\s\S]+?)(?<!`)\1(?!`)/y;

/** Text between backticks stays unchanged, including spaces. A backslash before them makes them plain text. */
export function readCode(state: StateInline, onlyLook: boolean): boolean {
	const {src, pos} = state;
	code.lastIndex = pos;
	const match = src[pos] === '`' && !/[`\\]/.test(src[pos - 1] ?? '') ? code.exec(src) : null;
	if (!match || code.lastIndex > state.posMax) {
		return false;
	}

	if (!onlyLook) {
		state.push('code_inline', 'code', 0).content = match[2] ?? '';
	}

	state.pos = code.lastIndex;
	return true;
}

const tex = /\$\$((?:[^\n_$])(?:\\\$|[^$\n])*)\$\$(?!\$)\B/y;

/** Formulas keep their source, because the realm does not typeset them. */
export function readTex(state: StateInline, onlyLook: boolean): boolean {
	tex.lastIndex = state.pos;
	const match = /[\w$]/.test(state.src[state.pos - 1] ?? '') ? null : tex.exec(state.src);
	if (!match) {
		return false;
	}

	if (!onlyLook) {
		state.push('html_inline', '', 0).content = `<span class="katex">${escapeText(match[1] ?? '')}</span>`;
	}

	state.pos = tex.lastIndex;
	return true;
}

interface Kind {
	readonly open: string;
	/** Matches from the opening sign on. */
	readonly pattern: RegExp;
	readonly tags: readonly string[];
	/** Asterisks of stronger emphasis do not count for weaker emphasis. */
	readonly hides?: RegExp;
}

const strong = /\*\*[^\n]+?\*\*/g;
const kinds: readonly Kind[] = [
	{open: '***', pattern: /\*\*\*(?!\s)[^*^\n]+(?<!\s)\*\*\*/y, tags: ['strong', 'em']},
	{open: '**', pattern: /\*\*[^\n]+?\*\*/y, tags: ['strong']},
	{open: '*', pattern: /\*(?!\s)[^*^\n]+(?<!\s)\*/y, tags: ['em'], hides: strong},
	{open: '~~', pattern: /~~[^~\n]+?~~(?!~)/y, tags: ['del']},
];

export function readEmphasis(state: StateInline, onlyLook: boolean): boolean {
	if (state.src[state.pos] === '~' && state.src[state.pos - 1] === '~') {
		return false;
	}

	const source = sourceFor(state);
	for (const {open, pattern, tags, hides} of kinds) {
		if (!state.src.startsWith(open, state.pos)) {
			continue;
		}

		pattern.lastIndex = state.pos;
		const text = hides ? hide(source, state.pos + 1, hides) : source;
		if (pattern.test(text) && pattern.lastIndex <= state.posMax) {
			wrap(state, {tags, from: state.pos + open.length, to: pattern.lastIndex - open.length, onlyLook});
			return true;
		}
	}

	return false;
}

/** Code, mentions and links take precedence: signs inside them neither open nor close emphasis. */
const atoms =
	/(?<![`\\])(`+)(?:[^`]|(?!\1(?!`))`+)+?(?<!`)\1(?!`)|(?<![^\s'"({[/<])@_?(?:\*\*[^*\n]+\*\*|\*[^*\n]+\*)|#\*\*[^*\n]+\*\*|\[[^\]\n]*\]\([^)\n]*\)/g;
const hidden = new WeakMap<StateInline, string>();

function sourceFor(state: StateInline): string {
	// What begins here is not a valid mention.
	if (/[@#]_?$/.test(state.src.slice(Math.max(0, state.pos - 2), state.pos))) {
		return state.src;
	}

	const known = hidden.get(state) ?? hide(state.src, 0, atoms);
	hidden.set(state, known);
	return known;
}

function hide(text: string, from: number, pattern: RegExp): string {
	return text.slice(0, from) + text.slice(from).replaceAll(pattern, match => 'x'.repeat(match.length));
}

interface Wrapped {
	readonly tags: readonly string[];
	readonly from: number;
	readonly to: number;
	readonly onlyLook: boolean;
}

function wrap(state: StateInline, {tags, from, to, onlyLook}: Wrapped): void {
	const end = to + (from - state.pos);
	if (!onlyLook) {
		const max = state.posMax;
		for (const tag of tags) {
			state.push(`${tag}_open`, tag, 1);
		}

		state.pos = from;
		state.posMax = to;
		state.md.inline.tokenize(state);
		state.posMax = max;
		for (const tag of tags.toReversed()) {
			state.push(`${tag}_close`, tag, -1);
		}
	}

	state.pos = end;
}
