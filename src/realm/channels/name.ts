import {badRequest} from '../errors.js';

const MAX_CHANNEL_NAME_LENGTH = 60;

/** The name as it is stored. Throws if a channel may not have it. */
export function checkChannelName(text: string): string {
	const name = text.trim();
	if (name === '') {
		throw badRequest("Channel name can't be empty.");
	}

	const characters = [...name];
	if (characters.length > MAX_CHANNEL_NAME_LENGTH) {
		throw badRequest(`Channel name too long (limit: ${MAX_CHANNEL_NAME_LENGTH} characters).`);
	}

	const position = characters.findIndex(character => /\p{Cc}|\p{Cs}/u.test(character));
	if (position >= 0) {
		throw badRequest(`Invalid character in channel name, at position ${position + 1}.`);
	}

	return name;
}

/** A description has only one line. */
export function cleanDescription(text: string): string {
	return text.replaceAll('\n', ' ');
}
