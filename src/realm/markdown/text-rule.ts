// Parses plain text: everything up to a character at which another rule may begin.

import type {StateInline} from 'markdown-it';

const next = /[`*~@#<[&:$\n]|(?<=^|[\s'"(,:<])[\p{L}\p{N}_]|\p{Extended_Pictographic}|\p{RI}/gu;
const entity = /&(?:#\d+|#x[\da-f]+|\w+);/iy;

export function readText(state: StateInline, onlyLook: boolean): boolean {
	entity.lastIndex = state.pos;
	const [known] = entity.exec(state.src) ?? [];
	if (known !== undefined && entity.lastIndex <= state.posMax) {
		state.pos += known.length;
		if (!onlyLook) {
			state.push('html_inline', '', 0).content = known;
		}

		return true;
	}

	const isHalf = /[\uDC00-\uDFFF]/.test(state.src[state.pos] ?? '');
	next.lastIndex = isHalf ? state.pos + 1 : state.pos;
	const end = Math.min(next.exec(state.src)?.index ?? state.posMax, state.posMax);
	if (end === state.pos) {
		return false;
	}

	if (!onlyLook) {
		state.pending += state.src.slice(state.pos, end);
	}

	state.pos = end;
	return true;
}
