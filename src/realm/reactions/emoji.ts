// The emoji of the realm: a handful of the service's, under its names.

import {badRequest} from '../errors.js';

export interface Emoji {
	readonly name: string;
	/** For `unicode_emoji` the code points in hex, joined by dashes. */
	readonly code: string;
	readonly type: string;
}

/** Codes by name; some have two names. */
const codes = new Map([
	['+1', '1f44d'],
	['thumbs_up', '1f44d'],
	['-1', '1f44e'],
	['thumbs_down', '1f44e'],
	['100', '1f4af'],
	['alarm_clock', '23f0'],
	['angry', '1f620'],
	['beer', '1f37a'],
	['bell', '1f514'],
	['big_smile', '1f604'],
	['blush', '1f60a'],
	['broken_heart', '1f494'],
	['bug', '1f41b'],
	['check', '2705'],
	['clap', '1f44f'],
	['coffee', '2615'],
	['cry', '1f622'],
	['exclamation', '2757'],
	['eyes', '1f440'],
	['fire', '1f525'],
	['grinning', '1f600'],
	['hamburger', '1f354'],
	['heart', '2764'],
	['heart_eyes', '1f60d'],
	['hourglass', '231b'],
	['joy', '1f602'],
	['laughing', '1f606'],
	['lock', '1f512'],
	['muscle', '1f4aa'],
	['octopus', '1f419'],
	['ok', '1f44c'],
	['pizza', '1f355'],
	['point_up', '1f446'],
	['pray', '1f64f'],
	['question', '2753'],
	['raised_hands', '1f64c'],
	['robot', '1f916'],
	['rocket', '1f680'],
	['rofl', '1f923'],
	['rolling_on_the_floor_laughing', '1f923'],
	['slight_smile', '1f642'],
	['smile', '1f642'],
	['smiley', '1f603'],
	['sob', '1f62d'],
	['sparkles', '2728'],
	['star', '2b50'],
	['sunglasses', '1f60e'],
	['tada', '1f389'],
	['thinking', '1f914'],
	['trophy', '1f3c6'],
	['warning', '26a0'],
	['wave', '1f44b'],
	['wink', '1f609'],
	['zap', '26a1'],
]);

/** Built in, with pictures of their own; the code is the name. */
const extras = ['bothy'];
const EXTRA = 'service_extra_emoji';

export function findEmoji(name: string): Emoji {
	const emoji = lookUp(name);
	if (!emoji) {
		throw badRequest(`Emoji '${name}' does not exist`);
	}

	return emoji;
}

function lookUp(name: string): Emoji | undefined {
	const code = codes.get(name);
	if (code === undefined) {
		return extras.includes(name) ? {name, code: name, type: EXTRA} : undefined;
	}

	return {name, code, type: 'unicode_emoji'};
}

/** Real servers have another name for the type of extras. */
export function readType(type: string): string {
	return type === 'zulip_extra_emoji' ? EXTRA : type;
}

/** Refuses an emoji whose name, code and type do not belong together. */
export function checkEmoji({name, code, type}: Emoji): void {
	if (type === 'realm_emoji') {
		throw badRequest('Invalid custom emoji.');
	}

	if (type !== 'unicode_emoji' && type !== EXTRA) {
		throw badRequest('Invalid emoji type.');
	}

	if (![...(type === EXTRA ? extras : codes.values())].includes(code)) {
		throw badRequest('Invalid emoji code.');
	}

	if (lookUp(name)?.code !== code) {
		throw badRequest('Invalid emoji name.');
	}
}
