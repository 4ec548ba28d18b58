// All emoji of the realm: built-in ones and custom ones.

import {badRequest} from '../errors.js';
import type {Store} from '../store/store.js';
import {findCustomEmoji, findCustomEmojiById} from './custom-emoji.js';
import {emojiTable} from './emoji-table.js';

export interface Emoji {
	readonly name: string;
	/** For `unicode_emoji`, the hex code points joined by dashes. */
	readonly code: string;
	readonly type: string;
}

const codes = new Map<string, string>();
const firstNames = new Map<string, string>();
for (const entry of emojiTable.trim().split(/;\s|\n/)) {
	const [code = '', ...names] = entry.trim().replace(/;$/, '').split(' ');
	firstNames.set(code, names[0] ?? '');
	for (const name of names) {
		codes.set(name, code);
	}
}

/** Built-in emoji with a picture of their own. Code and name are the same. */
const extras = ['zulip'];
const EXTRA = 'service_extra_emoji';
export const CUSTOM = 'realm_emoji';

/** The canonical name of a Unicode emoji. */
export function nameOfUnicodeEmoji(character: string): string | undefined {
	return firstNames.get(
		[...character.replaceAll('\ufe0f', '')].map(each => each.codePointAt(0)?.toString(16).padStart(4, '0')).join('-'),
	);
}

export function findEmoji(store: Store, name: string): Emoji {
	const emoji = lookUpEmoji(store, name);
	if (!emoji) {
		throw badRequest(`Emoji '${name}' does not exist`);
	}

	return emoji;
}

export function lookUpEmoji(store: Store, name: string): Emoji | undefined {
	const custom = findCustomEmoji(store, name);
	if (custom) {
		return {name, code: String(custom.id), type: CUSTOM};
	}

	if (extras.includes(name)) {
		return {name, code: name, type: EXTRA};
	}

	const code = codes.get(name);
	return code === undefined ? undefined : {name, code, type: 'unicode_emoji'};
}

export function isBuiltIn(name: string): boolean {
	return codes.has(name) || extras.includes(name);
}

/** Real servers use another name for this type. */
export function readType(type: string): string {
	return type === 'zulip_extra_emoji' ? EXTRA : type;
}

/** Throws if name, code and type do not belong together. */
export function checkEmoji(store: Store, {name, code, type}: Emoji): void {
	if (type === CUSTOM) {
		checkCustomEmoji(store, name, code);
		return;
	}

	if (type !== 'unicode_emoji' && type !== EXTRA) {
		throw badRequest('Invalid emoji type.');
	}

	if (type === EXTRA ? !extras.includes(code) : !firstNames.has(code)) {
		throw badRequest('Invalid emoji code.');
	}

	if ((type === EXTRA ? code : codes.get(name)) !== (type === EXTRA ? name : code)) {
		throw badRequest('Invalid emoji name.');
	}
}

function checkCustomEmoji(store: Store, name: string, code: string): void {
	const custom = findCustomEmojiById(store, code);
	if (!custom) {
		throw badRequest('Invalid custom emoji.');
	}

	if (custom.name !== name) {
		throw badRequest('Invalid custom emoji name.');
	}

	if (custom.deactivated) {
		throw badRequest('This custom emoji has been deactivated.');
	}
}
