// What becomes of a message's text and topic before they are stored (service-facts.md 7.4).

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

/** Until then every topic had a name. */
const FIRST_LEVEL_WITH_EMPTY_TOPIC = 334;
const FIRST_LEVEL_WITH_BOTH_NAMES = 370;

export function cleanTopic(topic: string, {featureLevel}: {readonly featureLevel: number}): string {
	const text = readNewTopic(topic.trim(), featureLevel);
	const position = [...text].findIndex(character => isForbidden(character));
	if (position >= 0) {
		throw badRequest(`Invalid character in topic, at position ${position + 1}!`);
	}

	return cutTopic(text);
}

function readNewTopic(topic: string, featureLevel: number): string {
	if (featureLevel < FIRST_LEVEL_WITH_EMPTY_TOPIC) {
		return topic || '(no topic)';
	}

	return featureLevel < FIRST_LEVEL_WITH_BOTH_NAMES ? readDisplayName(topic) : readTopic(topic);
}

/** Two names stand for the empty topic. */
export function readTopic(topic: string): string {
	return topic === '(no topic)' ? '' : readDisplayName(topic);
}

/** Where a topic is only named, not opened, the display name alone stands for the empty one. */
export function readNamedTopic(topic: string, {featureLevel}: {readonly featureLevel: number}): string {
	return featureLevel < FIRST_LEVEL_WITH_EMPTY_TOPIC ? topic : readDisplayName(topic);
}

function readDisplayName(topic: string): string {
	return topic === EMPTY_TOPIC_DISPLAY_NAME ? '' : topic;
}

/** The empty topic has a name for callers that do not know it. */
export function displayTopic(topic: string, allowEmptyTopicName: boolean): string {
	return topic === '' && !allowEmptyTopicName ? EMPTY_TOPIC_DISPLAY_NAME : topic;
}

/** Marks a topic whose question is answered. */
export const RESOLVED_PREFIX = '✔ ';

/** By which topics compare: case does not matter. */
export function topicKey(topic: string): string {
	return topic.toLowerCase();
}

/** Counts characters, not halves of them. */
function cut(text: string, length: number, suffix: string): string {
	if (text.length <= length) {
		return text;
	}

	const characters = [...text];
	return characters.length <= length ? text : characters.slice(0, length - suffix.length).join('') + suffix;
}

/** Control characters, surrogates and non-characters. */
function isForbidden(character: string): boolean {
	const code = character.codePointAt(0) ?? 0;
	const isNonCharacter = (code & 0xfffe) === 0xfffe || (code >= 0xfdd0 && code <= 0xfdef);
	return /\p{Cc}|\p{Cs}/u.test(character) || isNonCharacter;
}
