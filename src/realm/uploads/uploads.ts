// Files that people uploaded, and the messages that show them (service-facts.md 5).

import {randomBytes} from 'node:crypto';
import {selectMessages} from '../messages/rows.js';
import type {Account} from '../people/accounts.js';
import type {Services} from '../services.js';
import type {Store} from '../store/store.js';
import {MAX_UPLOAD_BYTES, QUOTA_BYTES, quotaExceeded, uploadTooLarge} from './limits.js';

interface UploadRow {
	readonly id: number;
	readonly owner_id: number;
	/** Below `/user_uploads/`. */
	readonly path: string;
	/** As it was uploaded. */
	readonly name: string;
	readonly type: string;
	readonly size: number;
	readonly created_ms: number;
}

const columns = 'id, owner_id, path, name, type, size, created_ms';

/** Keeps a file; answers its path below `/user_uploads/`. */
export async function keepUpload({store, clock}: Services, owner: Account, file: File): Promise<string> {
	if (file.size > MAX_UPLOAD_BYTES) {
		throw uploadTooLarge();
	}

	const bytes = Buffer.from(await file.arrayBuffer());
	const {used} = store.get<{used: number}>('SELECT coalesce(sum(size), 0) AS used FROM uploads') ?? {used: 0};
	if (used + bytes.length > QUOTA_BYTES) {
		throw quotaExceeded();
	}

	const path = `1/${randomBytes(1).toString('hex')}/${randomBytes(18).toString('base64url')}/${safeName(file.name)}`;
	store.run(
		'INSERT INTO uploads (owner_id, path, name, type, size, created_ms, bytes) VALUES (?, ?, ?, ?, ?, ?, ?)',
		owner.id,
		path,
		file.name,
		file.type,
		bytes.length,
		clock.now(),
		bytes,
	);

	return path;
}

/** The last part of a path: letters, digits and little else; no dot at the end, where a sentence may have one. */
function safeName(name: string): string {
	const safe = name
		.normalize('NFKC')
		.replaceAll(/[^\p{L}\p{N}_\s.-]/gu, '')
		.trim()
		.replaceAll(/\s+/g, '-')
		.replace(/\.+$/, '');
	return safe || 'uploaded-file';
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

/** One's own, and what a message shows that one may read. */
export function mayOpen(store: Store, account: Account, upload: UploadRow): boolean {
	if (upload.owner_id === account.id) {
		return true;
	}

	const sql = 'm.id IN (SELECT message_id FROM upload_messages WHERE upload_id = ?)';
	return selectMessages(store, account, {conditions: [{sql, values: [upload.id]}], limit: 1}).length > 0;
}

/** A message shows what its text links to, unless its author may not open that; answers what it no longer shows. */
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

export type DetachedUpload = ReturnType<typeof detachedUploads>[number];

/** Those of somebody's own uploads that no message shows. */
export function detachedUploads(store: Store, owner: Account, uploads: readonly UploadRow[]) {
	const isShown = ({id}: UploadRow) =>
		store.get('SELECT 1 AS found FROM upload_messages WHERE upload_id = ? LIMIT 1', id);
	return uploads
		.filter(upload => upload.owner_id === owner.id && !isShown(upload))
		.map(({id, name, path, size, created_ms}) => ({
			id,
			name,
			path_id: path,
			size,
			create_time: created_ms,
			messages: [],
		}));
}
