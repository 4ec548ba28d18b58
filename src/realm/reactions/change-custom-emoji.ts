// Uploads and deactivates custom emoji.

import {randomBytes} from 'node:crypto';
import type {CustomEmoji} from '../../api/index.js';
import {badRequest, RealmError} from '../errors.js';
import {type Account, isAdministrator} from '../people/accounts.js';
import {isInGroup, systemGroupId} from '../people/groups.js';
import type {Services} from '../services.js';
import type {Store} from '../store/store.js';
import {checkQuota} from '../uploads/limits.js';
import {type CustomEmojiRow, columns, findCustomEmoji, PICTURES} from './custom-emoji.js';
import {isBuiltIn} from './emoji.js';

const MAX_MIB = 5;

/** All custom emoji, including deactivated ones, by ID. */
export function presentCustomEmoji(store: Store): Record<string, CustomEmoji> {
	const rows = store.all<CustomEmojiRow>(`SELECT ${columns} FROM custom_emoji ORDER BY id`);
	return Object.fromEntries(
		rows.map(({id, name, author_id, deactivated, path}) => [
			String(id),
			{
				id: String(id),
				name,
				source_url: `${PICTURES}${path}`,
				deactivated: deactivated === 1,
				author_id,
				still_url: null,
			},
		]),
	);
}

export async function addCustomEmoji(
	services: Services,
	author: Account,
	given: {readonly name: string; readonly file: File},
): Promise<void> {
	const {store} = services;
	const name = given.name.trim().replaceAll(' ', '_');
	checkName(name);
	if (!isInGroup(store, author, systemGroupId(store, 'role:members'))) {
		throw badRequest('Insufficient permission');
	}

	checkFree(store, name);
	if (isBuiltIn(name) && !isAdministrator(author)) {
		throw badRequest('Only administrators can override default emoji.');
	}

	if (given.file.size > MAX_MIB * 1024 * 1024) {
		throw badRequest(`Uploaded file is larger than the allowed limit of ${MAX_MIB} MiB`);
	}

	const bytes = Buffer.from(await given.file.arrayBuffer());
	const type = pictureType(bytes);
	// Somebody else may have uploaded the same name in the meantime.
	checkFree(store, name);
	checkQuota(store, bytes.length);
	const path = `1/emoji/images/${randomBytes(8).toString('hex')}.${type}`;
	store.run(
		'INSERT INTO custom_emoji (name, author_id, path, type, bytes) VALUES (?, ?, ?, ?, ?)',
		name,
		author.id,
		path,
		`image/${type}`,
		bytes,
	);
	publish(services);
}

export function deactivateCustomEmoji(services: Services, caller: Account, name: string): void {
	const {store} = services;
	const emoji = findCustomEmoji(store, name);
	if (!emoji) {
		throw new RealmError(`Emoji '${name}' does not exist`, 'BAD_REQUEST', 404);
	}

	if (!isAdministrator(caller) && emoji.author_id !== caller.id) {
		throw badRequest('Must be an organization administrator or emoji author');
	}

	store.run('UPDATE custom_emoji SET deactivated = 1 WHERE id = ?', emoji.id);
	publish(services);
}

function checkFree(store: Store, name: string): void {
	if (findCustomEmoji(store, name)) {
		throw badRequest('A custom emoji with this name already exists.');
	}
}

function checkName(name: string): void {
	if (name === '') {
		throw badRequest('Emoji name is missing');
	}

	if (!/^[0-9a-z_-]+$/.test(name)) {
		throw badRequest(
			'Emoji names must contain only lowercase English letters, digits, spaces, dashes, and underscores.',
		);
	}

	if (/[_-]$/.test(name)) {
		throw badRequest('Emoji names must end with either a letter or digit.');
	}
}

/** The first bytes of each image format. */
const beginnings = {png: /^\x89PNG\r\n/, gif: /^GIF8/, jpeg: /^\xff\xd8\xff/, webp: /^RIFF....WEBP/s};

function pictureType(bytes: Buffer): string {
	const begin = bytes.subarray(0, 16).toString('latin1');
	const [type] = Object.entries(beginnings).find(([, pattern]) => pattern.test(begin)) ?? [];
	if (type === undefined) {
		throw badRequest('Invalid image format');
	}

	return type;
}

function publish({store, queues}: Services): void {
	queues.publish({type: 'realm_emoji', op: 'update', realm_emoji: presentCustomEmoji(store)});
}
