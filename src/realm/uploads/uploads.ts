// Uploaded files, and the messages that contain links to them (service-facts.md 5).

import {randomBytes} from 'node:crypto';
import type {Attachment} from '../../api/index.js';
import {badRequest, RealmError} from '../errors.js';
import {selectMessages} from '../messages/rows.js';
import type {Account} from '../people/accounts.js';
import type {Services} from '../services.js';
import type {Store} from '../store/store.js';
import {checkQuota, MAX_UPLOAD_BYTES, uploadTooLarge, usedBytes} from './limits.js';

export interface UploadRow {
	readonly id: number;
	readonly owner_id: number;
	/** Path below `/user_uploads/`. */
	readonly path: string;
	/** The content type from the upload. */
	readonly name: string;
	readonly type: string;
	readonly size: number;
	readonly created_ms: number;
}

const columns = 'id, owner_id, path, name, type, size, created_ms';

/** Stores a file. Returns its name, and its path below `/user_uploads/`. */
export async function keepUpload(
	{store, clock, queues}: Services,
	owner: Account,
	file: File,
): Promise<{readonly path: string; readonly name: string}> {
	if (file.size > MAX_UPLOAD_BYTES) {
		throw uploadTooLarge();
	}

	const bytes = Buffer.from(await file.arrayBuffer());
	checkQuota(store, bytes.length);
	const name = baseName(file.name);
	const path = `1/${randomBytes(1).toString('hex')}/${randomBytes(18).toString('base64url')}/${safeName(name)}`;
	const id = store.run(
		'INSERT INTO uploads (owner_id, path, name, type, size, created_ms, bytes) VALUES (?, ?, ?, ?, ?, ?, ?)',
		owner.id,
		path,
		name,
		file.type,
		bytes.length,
		clock.now(),
		bytes,
	);
	const attachment = attachmentOf(store, {id, name, path, size: bytes.length, created_ms: clock.now()});
	queues.publishTo(owner.id, {type: 'attachment', op: 'add', attachment, upload_space_used: usedBytes(store)});

	return {path, name};
}

/** Removes folders from the name. */
function baseName(name: string): string {
	return name.split(/[\\/]/).at(-1) ?? '';
}

/** The last part of the path: letters, digits and a few signs. No dot at the end, because a sentence may end there. */
function safeName(name: string): string {
	const safe = name
		.normalize('NFKC')
		.replaceAll(/[^\p{L}\p{N}_\s.-]/gu, '')
		.trim()
		.replaceAll(/\s+/g, '-')
		.replace(/\.+$/, '');
	return safe || 'uploaded-file';
}

/** Finds a file that the account may open, or throws. */
export function openUpload(store: Store, caller: Account, path: string): UploadRow {
	const upload = findUpload(store, path);
	if (!upload) {
		throw new RealmError('File not found.', 'BAD_REQUEST', 404);
	}

	if (!mayOpen(store, caller, upload)) {
		throw new RealmError('You are not authorized to view this file.', 'BAD_REQUEST', 403);
	}

	return upload;
}

export function findUpload(store: Store, path: string): UploadRow | undefined {
	return store.get<UploadRow>(`SELECT ${columns} FROM uploads WHERE path = ?`, path);
}

export function bytesOf(store: Store, {id}: UploadRow): Uint8Array {
	const row = store.get<{bytes: Uint8Array}>('SELECT bytes FROM uploads WHERE id = ?', id);
	if (!row) {
		throw new Error(`Expected the upload ${id}, found none`);
	}

	return row.bytes;
}

/** Own files, and files in messages that the account may read. */
function mayOpen(store: Store, account: Account, upload: UploadRow): boolean {
	if (upload.owner_id === account.id) {
		return true;
	}

	const sql = 'm.id IN (SELECT message_id FROM upload_messages WHERE upload_id = ?)';
	return selectMessages(store, account, {conditions: [{sql, values: [upload.id]}], limit: 1}).length > 0;
}

/** Records the files that a message links to, if its author may open them. Returns the files that it no longer links to. */
export function showUploads(store: Store, author: Account, message: {id: number; content: string}): UploadRow[] {
	const before = store.all<UploadRow>(
		`SELECT ${columns} FROM uploads WHERE id IN (SELECT upload_id FROM upload_messages WHERE message_id = ?)`,
		message.id,
	);
	const linked = [
		...message.content.matchAll(/\/user_uploads\/([\w-]+\/\w+\/[\w-]+\/[\p{L}\p{N}_.-]*[\p{L}\p{N}_-])/gu),
	]
		.flatMap(([, path = '']) => findUpload(store, path) ?? [])
		.filter(upload => mayOpen(store, author, upload));
	store.run('DELETE FROM upload_messages WHERE message_id = ?', message.id);
	for (const {id} of linked) {
		store.run('INSERT OR IGNORE INTO upload_messages (upload_id, message_id) VALUES (?, ?)', id, message.id);
	}

	return before.filter(({id}) => linked.every(upload => upload.id !== id));
}

/** A person's own uploads, as API objects. */
export function listAttachments(store: Store, owner: Account): Attachment[] {
	return store
		.all<UploadRow>(`SELECT ${columns} FROM uploads WHERE owner_id = ? ORDER BY id`, owner.id)
		.map(upload => attachmentOf(store, upload));
}

/** Messages that link to it stay unchanged. */
export function removeUpload({store, queues}: Services, owner: Account, id: number): void {
	if (!store.get('SELECT 1 AS found FROM uploads WHERE id = ? AND owner_id = ?', id, owner.id)) {
		throw badRequest('Invalid attachment');
	}

	store.transaction(() => {
		store.run('DELETE FROM upload_messages WHERE upload_id = ?', id);
		store.run('DELETE FROM uploads WHERE id = ?', id);
	});
	queues.publishTo(owner.id, {type: 'attachment', op: 'remove', attachment: {id}, upload_space_used: usedBytes(store)});
}

export type DetachedUpload = Attachment;

/** A person's uploads that no message links to. */
export function detachedUploads(store: Store, owner: Account, uploads: readonly UploadRow[]): Attachment[] {
	return uploads
		.filter(upload => upload.owner_id === owner.id)
		.map(upload => attachmentOf(store, upload))
		.filter(({messages}) => messages.length === 0);
}

function attachmentOf(
	store: Store,
	{id, name, path, size, created_ms}: Pick<UploadRow, 'id' | 'name' | 'path' | 'size' | 'created_ms'>,
): Attachment {
	const messages = store.all<{id: number; date_name: number}>(
		`SELECT m.id, m.timestamp * 1000 AS date_name
		FROM upload_messages u JOIN messages m ON m.id = u.message_id WHERE u.upload_id = ? ORDER BY m.id`,
		id,
	);
	return {id, name, path_id: path, size, create_time: created_ms, messages};
}
