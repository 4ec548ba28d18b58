// When people were last present, and the API objects for it (service-facts.md 6.6).

import type {Operations, ResultOf} from '../../api/index.js';
import type {Services} from '../services.js';
import type {Store} from '../store/store.js';
import type {Account} from './accounts.js';
import {shownEmail} from './addresses.js';
import {readSetting} from './settings.js';

/** After this long without presence, a person counts as offline. */
export const OFFLINE_SECONDS = 200;

/** A time is stored only if the stored one is older than this. */
const STORED_SECONDS = 55;

/** In the legacy format, a connected person stays active for this long after their last activity. */
const LEGACY_ACTIVE_SECONDS = 70;

/** A person who turns invisible gets a last presence this long before they would count as offline. */
const HIDDEN_SECONDS = 120;

const DEFAULT_HISTORY_DAYS = 14;
const DAY_SECONDS = 24 * 3600;

/** In a larger organization, arrivals are not published. */
const MOST_USERS_FOR_EVENTS = 100;

export type Status = 'active' | 'idle';

export function isStatus(text: string): text is Status {
	return text === 'active' || text === 'idle';
}

interface PresenceRow {
	readonly user_id: number;
	readonly email: string;
	/** Without any activity: the time when the account was created. */
	readonly last_active: number;
	readonly last_connected: number;
	readonly update_id: number;
}

const SELECT = `
	SELECT user_id, email, COALESCE(last_active, date_joined) AS last_active, last_connected, update_id
	FROM presences JOIN accounts ON accounts.id = user_id
	WHERE is_active = 1`;

export function findPresence(store: Store, userId: number): PresenceRow | undefined {
	return store.get<PresenceRow>(`${SELECT} AND user_id = ?`, userId);
}

export interface PresenceRequest {
	/** By user ID, or by email in the legacy format. */
	readonly isModern: boolean;
	/** How far back to look. Ignored if `lastUpdateId` is above 0. */
	readonly historyDays?: number;
	/** Only changes after this ID. */
	readonly lastUpdateId?: number | undefined;
}

type Presences = ResultOf<Operations['getRealmPresence']>['presences'];

export function readPresences(
	{store, clock}: Services,
	{isModern, historyDays = DEFAULT_HISTORY_DAYS, lastUpdateId = -1}: PresenceRequest,
): {presences: Presences; lastUpdateId: number} {
	const isContinued = lastUpdateId > 0;
	const since = isContinued ? 0 : clock.seconds() - historyDays * DAY_SECONDS;
	const wantsNone = historyDays === 0 && !isContinued;
	const rows = wantsNone
		? []
		: store.all<PresenceRow>(
				`${SELECT} AND update_id > ? AND last_connected >= ? ORDER BY user_id`,
				lastUpdateId,
				since,
			);
	const entries = rows.map(row =>
		isModern ? [row.user_id, modern(row)] : [shownEmail(store, {id: row.user_id, email: row.email}), legacy(row)],
	);

	return {
		presences: Object.fromEntries(entries),
		lastUpdateId: Math.max(lastUpdateId, ...rows.map(row => row.update_id)),
	};
}

function modern({last_active, last_connected}: PresenceRow) {
	return {active_timestamp: last_active, idle_timestamp: last_connected};
}

function legacy(row: PresenceRow) {
	const website = {client: 'website', ...legacyStatus(row), pushable: false};
	const {pushable: _, ...aggregated} = website;
	return {aggregated, website};
}

export function legacyStatus({last_active, last_connected}: PresenceRow): {status: Status; timestamp: number} {
	return last_active + LEGACY_ACTIVE_SECONDS >= last_connected
		? {status: 'active', timestamp: last_active}
		: {status: 'idle', timestamp: last_connected};
}

/** Records input of a person, for statistics. Records nothing for invisible people. */
export function recordInput({store, clock}: Services, caller: Account): void {
	if (!readSetting(store, caller, 'presence_enabled')) {
		return;
	}

	store.run(
		'INSERT INTO user_activity (user_id, last_input) VALUES (?, ?) ON CONFLICT DO UPDATE SET last_input = excluded.last_input',
		caller.id,
		clock.seconds(),
	);
}

/** When people last moved the mouse or typed. */
export function readActivity(store: Store) {
	return store.all<{user_id: number; last_input: number}>('SELECT * FROM user_activity ORDER BY user_id');
}

/** Shows a person who turns invisible as offline at once. */
export function hidePresence(services: Services, userId: number): void {
	const {store, clock} = services;
	const gone = clock.seconds() - OFFLINE_SECONDS - HIDDEN_SECONDS;
	const stored = findTimes(store, userId);
	if (!stored || stored.last_connected <= gone) {
		return;
	}

	save(store, userId, {last_active: null, last_connected: gone});
	store.afterCommit(() => publishPresence(services, userId));
}

interface StoredTimes {
	readonly last_active: number | null;
	readonly last_connected: number;
}

/** Records that a person is present, and notifies the others if they just came. Records nothing for invisible people. */
export function recordPresence(services: Services, caller: Account, status: Status): void {
	const {store, clock} = services;
	if (!readSetting(store, caller, 'presence_enabled')) {
		return;
	}

	const now = clock.seconds();
	store.transaction(() => {
		const stored = findTimes(store, caller.id);
		const isDue = (last: number | null | undefined) => now - (last ?? 0) > STORED_SECONDS;
		const connected = isDue(stored?.last_connected);
		const active = status === 'active' && isDue(stored?.last_active);
		if (connected || active) {
			const times = {
				last_active: active ? now : (stored?.last_active ?? null),
				last_connected: connected || active ? now : (stored?.last_connected ?? now),
			};
			save(store, caller.id, times);
		}

		const cameOnline = status === 'active' && now - (stored?.last_active ?? 0) > OFFLINE_SECONDS;
		if (!stored || cameOnline) {
			store.afterCommit(() => publishPresence(services, caller.id));
		}
	});
}

function findTimes(store: Store, userId: number): StoredTimes | undefined {
	return store.get<StoredTimes>('SELECT last_active, last_connected FROM presences WHERE user_id = ?', userId);
}

function save(store: Store, userId: number, {last_active, last_connected}: StoredTimes): void {
	store.run(
		`INSERT INTO presences (user_id, last_active, last_connected, update_id)
		VALUES (?, ?, ?, (SELECT COALESCE(MAX(update_id), 0) + 1 FROM presences))
		ON CONFLICT (user_id) DO UPDATE SET
			last_active = excluded.last_active, last_connected = excluded.last_connected, update_id = excluded.update_id`,
		userId,
		last_active,
		last_connected,
	);
}

function publishPresence({store, clock, queues}: Services, userId: number): void {
	const users = store.get<{count: number}>('SELECT COUNT(*) AS count FROM accounts WHERE is_active = 1');
	const row = findPresence(store, userId);
	if (!row || (users?.count ?? 0) > MOST_USERS_FOR_EVENTS) {
		return;
	}

	queues.publishEach('presence', ({options: {simplifiedPresence, slimPresence}}) =>
		simplifiedPresence
			? {presences: {[userId]: modern(row)}}
			: {
					...(!slimPresence && {email: shownEmail(store, {id: userId, email: row.email})}),
					user_id: userId,
					server_timestamp: clock.now() / 1000,
					presence: {website: legacy(row).website},
				},
	);
}
