// Parses `[text](address)` and bare addresses. `<address>` and `[text][name]` are not links.

import type {StateInline} from 'markdown-it';
import {escapeHtml, escapeText} from './escape-html.js';

export function linkNamed(state: StateInline, onlyLook: boolean): boolean {
	const {src, pos} = state;
	if (src[pos] !== '[' || src[pos - 1] === '!') {
		return false;
	}

	const labelEnd = findClosing(state, {from: pos, open: '[', close: ']'});
	const end = src[labelEnd + 1] === '(' ? findClosing(state, {from: labelEnd + 1, open: '(', close: ')'}) : -1;
	const inside = src.slice(labelEnd + 2, end).trim();
	const [, address = inside, , title] = /^(.*?)\s+(['"])(.*)\2$/s.exec(inside) ?? [];
	const href = end < 0 ? undefined : sanitizeUrl(address.replace(/^<(.*)>$/, '$1').trim());
	if (labelEnd < 0 || href === undefined) {
		return false;
	}

	if (!onlyLook) {
		const label = src.slice(pos + 1, labelEnd);
		pushLink(state, {href, text: label.trim() === '' ? href : label, title});
	}

	state.pos = end + 1;
	return true;
}

/** Limits for labels and addresses, so that no text is slow to parse. */
const MAX_LENGTH = 2048;

/** The index of the bracket that closes the one at `from`. */
function findClosing(
	{src, posMax}: StateInline,
	{from, open, close}: {from: number; open: string; close: string},
): number {
	let depth = 0;
	const end = Math.min(posMax, from + MAX_LENGTH);
	for (let at = from; at >= 0 && at < end; at++) {
		depth += src[at] === open ? 1 : src[at] === close ? -1 : 0;
		if (depth === 0) {
			return at;
		}
	}

	return -1;
}

const schemes = new Set(['http', 'https', 'ftp', 'mailto', 'file', 'tel', 'sms', 'bitcoin']);

/** Undefined if the address may not be linked, such as `javascript:` and `data:`. */
function sanitizeUrl(url: string): string | undefined {
	if (/^(?:\/(?!\/)|#.)/.test(url)) {
		return url;
	}

	const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase();
	if (scheme === undefined) {
		return /^[^/]*@/.test(url) ? `mailto:${url}` : `http://${url.replace(/^\/\//, '')}`;
	}

	return schemes.has(scheme) ? url : undefined;
}

// A sticky pattern cannot look behind, so the character before the match is tested separately.
const boundary = /[\s'"(,:<]/;
const withScheme = /^https?:\/\/[\p{L}\p{N}_.:@-]+(?:\/[^\s"]*)?$/u;
const withoutScheme = /^(?:[\p{L}\p{N}_-]+\.)+(?<tld>\p{L}+)(?:\/[^\s"]*)?$/u;
const email = /^[\p{L}\p{N}_.-]+@[\p{L}\p{N}_.-]+\.[\p{L}\p{N}_]+$/u;
const coin = /^bitcoin:[13][a-km-zA-HJ-NP-Z1-9]{25,34}$/;

export function linkBare(state: StateInline, onlyLook: boolean): boolean {
	const {src, pos} = state;
	if (!/[\p{L}\p{N}_.-]/u.test(src[pos] ?? '') || (pos > 0 && !boundary.test(src[pos - 1] ?? ''))) {
		return false;
	}

	const run = /^\S+/.exec(src.slice(pos, Math.min(state.posMax, pos + MAX_LENGTH)))?.[0] ?? '';
	const url = withoutPunctuation(run);
	const isLink = withScheme.test(url) || coin.test(url) || email.test(url) || isKnownDomain(url);
	if (!isLink) {
		return false;
	}

	if (!onlyLook) {
		pushLink(state, {href: email.test(url) ? `mailto:${url}` : (sanitizeUrl(url) ?? url), text: url});
	}

	state.pos += url.length;
	return true;
}

/** Removes punctuation at the end of an address, except parentheses that close one inside it. */
function withoutPunctuation(run: string): string {
	const bare = run.replace(/[!:;?),.'">]*$/, '');
	let depth = 0;
	for (const sign of bare) {
		depth += sign === '(' ? 1 : sign === ')' ? -1 : 0;
		if (depth < 0) {
			return '';
		}
	}

	return depth === 0 ? bare : run.startsWith(`${bare}${')'.repeat(depth)}`) ? `${bare}${')'.repeat(depth)}` : '';
}

const countries =
	/^(?:a[cdefgilmoqrstuwxz]|b[abdefghijmnorstvwyz]|c[acdfghiklmnoruvwxyz]|d[ejkmoz]|e[cegrstu]|f[ijkmor]|g[abdefghilmnpqrstuwy]|h[kmnrtu]|i[delmnoqrst]|j[emop]|k[eghimnprwyz]|l[abcikrstuvy]|m[aceghklmnopqrstuvwxyz]|n[acefgilopruz]|om|p[aefghklmnrstw]|qa|r[eosuw]|s[abcdeghijklmnorstuvxyz]|t[cdfghjklmnortvwz]|u[agksyz]|v[aceginu]|w[fs]|y[et]|z[amw])$/;
/** Common top-level domains, without those that are also file extensions. */
const domains = new Set(
	`academy aero agency ai app art asia bank biz blog cafe capital cat center chat church city cloud club codes coffee com
	community company computer consulting coop design dev digital directory edu education email energy engineering events
	exchange expert farm finance foundation fun fund games global gov group guide guru health help host house info ink
	institute int international jobs land law legal life link live london ltd management marketing media mil mobi money
	museum name net network news ngo ninja one online org page partners parts photo photos pictures plus post press pro
	productions pub report rocks run school science services shop site social software solutions space store studio
	support systems team tech technology tel today tools top town training travel university ventures video watch web
	website wiki work works world xxx xyz zone google amazon apple microsoft youtube berlin paris tokyo wien hamburg`.split(
		/\s+/,
	),
);

function isKnownDomain(url: string): boolean {
	const tld = withoutScheme.exec(url)?.groups?.tld?.toLowerCase();
	return tld !== undefined && (countries.test(tld) || domains.has(tld));
}

interface Link {
	readonly href: string;
	readonly text: string;
	readonly title?: string | undefined;
}

/** The text of a link is plain text. */
function pushLink(state: StateInline, {href, text, title}: Link): void {
	const attributes = `href="${escapeHtml(href)}"${title === undefined ? '' : ` title="${escapeHtml(title)}"`}`;
	const token = state.push('html_inline', 'a', 0);
	token.content = `<a ${attributes.replaceAll('&#x27;', "'")}>${escapeText(text)}</a>`;
	token.meta = {href, text};
}
