// Finds the links of linkifiers in a text.

import {isSafeLink} from '../markdown/safe-link.js';
import {expandUrlTemplate} from './url-template.js';

interface Found {
	/** Its start in the text. */
	readonly index: number;
	readonly text: string;
	readonly url: string;
}

interface Rule {
	readonly pattern: string;
	readonly url_template: string;
}

/** In the order of the text. If two overlap, the earlier rule wins. */
export function findLinks(rules: readonly Rule[], text: string): Found[] {
	const found: Found[] = [];
	for (const {pattern, url_template} of rules) {
		for (const match of text.matchAll(compilePattern(pattern))) {
			const link = {index: match.index, text: match[0], url: expandUrlTemplate(url_template, match.groups ?? {})};
			if (standsAlone(text, link) && isSafeLink(link.url) && !found.some(other => overlap(other, link))) {
				found.push(link);
			}
		}
	}

	return found.sort((one, other) => one.index - other.index);
}

/** Converts Python's syntax for named groups. */
export function compilePattern(pattern: string): RegExp {
	return new RegExp(pattern.replaceAll('(?P<', '(?<'), 'g');
}

/** A match may not be part of a longer word. */
function standsAlone(text: string, {index, text: found}: Found): boolean {
	return (
		found !== '' &&
		/(?:^|[\s\p{Z}'"(,:<])$/u.test(text.slice(0, index)) &&
		/^(?:$|[^\p{L}\p{N}])/u.test(text.slice(index + found.length))
	);
}

function overlap(one: Found, other: Found): boolean {
	return one.index < other.index + other.text.length && other.index < one.index + one.text.length;
}
