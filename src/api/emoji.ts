import {operation, required} from './operation.js';
import {z} from './zod.js';

const CustomEmoji = z.looseObject({
	id: z.string(),
	name: z.string(),
	source_url: z.string(),
	deactivated: z.boolean().optional(),
	author_id: z.int().nullable().optional(),
	/** A picture that does not move, of one that does. */
	still_url: z.string().nullish(),
});
export type CustomEmoji = z.infer<typeof CustomEmoji>;

const emoji_name = required(z.string(), 'Its name, without colons');

export const getCustomEmoji = operation({
	name: 'getCustomEmoji',
	method: 'GET',
	path: '/realm/emoji',
	about: 'List the custom emoji, by ID',
	callers: 'users',
	parameters: {},
	result: z.looseObject({emoji: z.record(z.string(), CustomEmoji)}),
});

export const uploadCustomEmoji = operation({
	name: 'uploadCustomEmoji',
	method: 'POST',
	path: '/realm/emoji/{emoji_name}',
	about: 'Upload a custom emoji: GIF, JPEG, PNG or WebP',
	callers: 'humans',
	parameters: {emoji_name, file: required(z.file(), 'The picture')},
	result: z.looseObject({}),
});

export const deactivateCustomEmoji = operation({
	name: 'deactivateCustomEmoji',
	method: 'DELETE',
	path: '/realm/emoji/{emoji_name}',
	about: 'Deactivate a custom emoji. Existing uses stay',
	callers: 'humans',
	parameters: {emoji_name},
	result: z.looseObject({}),
});
