// Normalizes the text and topic of a message before they are stored (service-facts.md 7.4).

import {badRequest} from '../errors.js';
import {EMPTY_TOPIC_DISPLAY_NAME, MAX_MESSAGE_LENGTH, MAX_TOPIC_LENGTH} from '../organization.js';

export function cleanContent(content: string): string {
	const text = content.trimEnd().replace(/^[\r\n]+/, '');
	if (text === '') {
		throw badRequest('Message must not be empty');
	}

	if (text.includes('\0')) {
		throw badRequest('Message must not contain null bytes');
	}

	return cut(text, MAX_MESSAGE_LENGTH, '\n[message truncated]');
}

export function cutTopic(topic: string): string {
	return cut(topic, MAX_TOPIC_LENGTH, '...');
}

/** Before this level, every topic needed a name. */
export const FIRST_LEVEL_WITH_EMPTY_TOPIC = 334;
const FIRST_LEVEL_WITH_BOTH_NAMES = 370;

const NO_TOPIC = '(no topic)';

export function cleanTopic(topic: string, at: {readonly featureLevel: number}): string {
	const text = readTopic(topic.trim(), at);
	const position = [...text].findIndex(character => isForbidden(character));
	if (position >= 0) {
		throw badRequest(`Invalid character in topic, at position ${position + 1}!`);
	}

	return cutTopic(text);
}

/** The topic for a new message. */
export function readTopic(topic: string, {featureLevel}: {readonly featureLevel: number}): string {
	if (featureLevel < FIRST_LEVEL_WITH_EMPTY_TOPIC) {
		return topic || NO_TOPIC;
	}

	return featureLevel < FIRST_LEVEL_WITH_BOTH_NAMES ? readDisplayName(topic) : readBothNames(topic);
}

function readBothNames(topic: string): string {
	return topic === NO_TOPIC ? '' : readDisplayName(topic);
}

/** Where an existing topic is named, only the display name means the empty topic. */
export function readNamedTopic(topic: string, {featureLevel}: {readonly featureLevel: number}): string {
	return featureLevel < FIRST_LEVEL_WITH_EMPTY_TOPIC ? topic : readDisplayName(topic);
}

function readDisplayName(topic: string): string {
	return topic === EMPTY_TOPIC_DISPLAY_NAME ? '' : topic;
}

/** The empty topic gets a name for callers that do not support it. */
export function displayTopic(topic: string, allowEmptyTopicName: boolean): string {
	return topic === '' && !allowEmptyTopicName ? EMPTY_TOPIC_DISPLAY_NAME : topic;
}

/** The prefix of resolved topics. */
export const RESOLVED_PREFIX = '✔ ';

/** The key for comparing topics: case does not matter. */
export function topicKey(topic: string): string {
	return topic.toLowerCase();
}

/** The keys that a name may refer to. At older levels, the display name of the empty topic was an ordinary name. */
export function topicKeys(name: string): [string, string] {
	return [topicKey(name), topicKey(readBothNames(name))];
}

/** Truncates by characters, without splitting surrogate pairs. */
function cut(text: string, length: number, suffix: string): string {
	if (text.length <= length) {
		return text;
	}

	const characters = [...text];
	return characters.length <= length ? text : characters.slice(0, length - suffix.length).join('') + suffix;
}

function isForbidden(character: string): boolean {
	const code = character.codePointAt(0) ?? 0;
	const isNonCharacter = (code & 0xfffe) === 0xfffe || (code >= 0xfdd0 && code <= 0xfdef);
	return /\p{Cc}|\p{Cs}/u.test(character) || isNonCharacter;
}
