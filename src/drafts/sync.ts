// One sync of an account's drafts: read, decide, write.

import {randomUUID} from 'node:crypto';
import {createDrafts} from './create.js';
import {overwriteDrafts, settle} from './overwrite.js';
import {reconcile} from './reconcile.js';
import {needsSync, Records, type RecordsOptions} from './records.js';
import type {Service} from './service.js';
import {LockLost} from './store.js';

export interface SyncOptions extends RecordsOptions {
	readonly service: Service;
	readonly log: {warn(fields: object, message: string): void};
}

/**
 * - `synced`: everything possible was done.
 * - `unknown`: the outcome of a write is unknown; the next sync checks it.
 * - `busy`: another worker is syncing the account.
 */
export type SyncResult = 'synced' | 'unknown' | 'busy';

export async function syncDrafts(options: SyncOptions): Promise<SyncResult> {
	const {account, store} = options;
	const nonce = randomUUID();
	if (!(await store.lock(account, nonce))) {
		return 'busy';
	}

	try {
		return await run(options, new Records(options, nonce));
	} catch (error) {
		if (error instanceof LockLost) {
			return 'busy';
		}

		throw error;
	} finally {
		await store.unlock(account, nonce);
	}
}

async function run(options: SyncOptions, records: Records, isAgain = false): Promise<SyncResult> {
	const {store, service, account} = options;
	const dependencies = {...options, records};
	const copy = await store.load(account);
	if (copy.journal && !(isAgain && copy.journal.isRead)) {
		await settle(dependencies, copy.journal);
		return run(options, records);
	}

	if (!needsSync(copy)) {
		return 'synced';
	}

	await records.take(copy, service);
	await records.forgetOld();
	const theirs = await service.read();
	if ('reason' in theirs) {
		await records.refuseAll(theirs);
		return 'synced';
	}

	const actions = reconcile(records.ours(), theirs).filter(action => !records.isRefused(action));
	await records.note(actions);
	const creates = actions.filter(action => action.kind === 'create');
	const writes = actions.filter(action => action.kind === 'edit' || action.kind === 'delete');
	if (copy.journal && writes.length > 0) {
		await settle(dependencies, copy.journal);
	}

	const created = await createDrafts(dependencies, {actions: creates, after: Math.max(0, ...theirs.map(({id}) => id))});
	const written = await overwriteDrafts(dependencies, writes);
	if (created === 'unknown' || written === 'unknown') {
		return 'unknown';
	}

	return written === 'restore' ? run(options, records, true) : written;
}
