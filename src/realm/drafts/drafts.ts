// Checks and stores drafts, and publishes them to their owner's other clients (service-facts.md 7.9).

import type {Draft, NewDraft} from '../../api/index.js';
import {badRequest, RealmError} from '../errors.js';
import type {Account} from '../people/accounts.js';
import {readSetting} from '../people/settings.js';
import type {Services} from '../services.js';
import type {Store} from '../store/store.js';
import {checkDraft} from './check.js';

/** How many drafts the initial state of an event queue has. */
const MAX_IN_STATE = 1000;

interface DraftRow {
	readonly id: number;
	readonly type: string;
	readonly recipients: string;
	readonly topic: string;
	readonly content: string;
	readonly edited: number;
}

/** Throws if the account has turned off draft synchronization. */
export function checkSynchronization(store: Store, account: Account): void {
	if (!readSetting(store, account, 'enable_drafts_synchronization')) {
		throw badRequest('User has disabled synchronizing drafts.');
	}
}

/** The least recently edited draft comes first. */
export function listDrafts(store: Store, account: Account): Draft[] {
	return store
		.all<DraftRow>('SELECT * FROM drafts WHERE user_id = ? ORDER BY edited, id', account.id)
		.map(presentDraft);
}

/** The drafts of all accounts, in order of creation. */
export function allDrafts(store: Store): (Draft & {readonly email: string})[] {
	return store
		.all<DraftRow & {readonly email: string}>(
			'SELECT d.*, a.email FROM drafts d JOIN accounts a ON a.id = d.user_id ORDER BY d.id',
		)
		.map(row => ({...presentDraft(row), email: row.email}));
}

/** The latest comes first. */
export function newestDrafts(store: Store, account: Account): Draft[] {
	return listDrafts(store, account).toReversed().slice(0, MAX_IN_STATE);
}

/** Stores all or none. Returns their IDs in the same order. */
export function createDrafts(services: Services, owner: Account, drafts: readonly NewDraft[]): number[] {
	const {store, queues} = services;
	return store.transaction(() => {
		const ids = drafts
			.map(draft => checkDraft(services, owner, draft))
			.map(({type, to, topic, content, timestamp}) =>
				store.run(
					'INSERT INTO drafts (user_id, type, recipients, topic, content, edited) VALUES (?, ?, ?, ?, ?, ?)',
					owner.id,
					type,
					JSON.stringify(to),
					topic,
					content,
					timestamp,
				),
			);
		if (ids.length > 0) {
			const added = ids.map(id => presentDraft(findDraft(store, owner, id)));
			store.afterCommit(() => queues.publishTo(owner.id, {type: 'drafts', op: 'add', drafts: added}));
		}

		return ids;
	});
}

export function editDraft(services: Services, owner: Account, {id, draft}: {id: number; draft: NewDraft}): void {
	const {store, queues} = services;
	findDraft(store, owner, id);
	const {type, to, topic, content, timestamp} = checkDraft(services, owner, draft);
	store.run(
		'UPDATE drafts SET type = ?, recipients = ?, topic = ?, content = ?, edited = ? WHERE id = ?',
		type,
		JSON.stringify(to),
		topic,
		content,
		timestamp,
		id,
	);
	queues.publishTo(owner.id, {type: 'drafts', op: 'update', draft: presentDraft(findDraft(store, owner, id))});
}

export function deleteDraft({store, queues}: Services, owner: Account, id: number): void {
	findDraft(store, owner, id);
	store.run('DELETE FROM drafts WHERE id = ?', id);
	queues.publishTo(owner.id, {type: 'drafts', op: 'remove', draft_id: id});
}

/** No event: the clients now keep drafts on the device. */
export function forgetDrafts(store: Store, owner: Account): void {
	store.run('DELETE FROM drafts WHERE user_id = ?', owner.id);
}

function findDraft(store: Store, owner: Account, id: number): DraftRow {
	const row = store.get<DraftRow>('SELECT * FROM drafts WHERE id = ? AND user_id = ?', id, owner.id);
	if (!row) {
		throw new RealmError('Draft does not exist', 'BAD_REQUEST', 404);
	}

	return row;
}

function presentDraft({id, type, recipients, topic, content, edited}: DraftRow): Draft {
	return {id, type, to: JSON.parse(recipients), topic, content, timestamp: Math.floor(edited)};
}
