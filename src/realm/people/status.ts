// Statuses: a text and an emoji that people set (service-facts.md 5).

import {badRequest} from '../errors.js';
import {checkEmoji, findEmoji} from '../reactions/emoji.js';
import type {Services} from '../services.js';
import type {Store} from '../store/store.js';
import type {Account} from './accounts.js';
import {changeSettings} from './change-settings.js';

interface StatusRow {
	readonly user_id: number;
	readonly status_text: string;
	/** Empty for none; then the other two have no meaning. */
	readonly emoji_name: string;
	readonly emoji_code: string;
	readonly reaction_type: string;
	/** For older clients, invisible people are away. */
	readonly is_away: 0 | 1;
}

const SELECT = `
	SELECT a.id AS user_id, coalesce(status_text, '') AS status_text, coalesce(emoji_name, '') AS emoji_name,
		coalesce(emoji_code, '') AS emoji_code, coalesce(reaction_type, '') AS reaction_type,
		EXISTS (SELECT 1 FROM user_settings u WHERE u.user_id = a.id AND name = 'presence_enabled' AND value = 'false') AS is_away
	FROM accounts a LEFT JOIN user_statuses s ON s.user_id = a.id
	WHERE a.is_active AND a.bot_type IS NULL`;

export function readStatus(store: Store, userId: number) {
	const row = store.get<StatusRow>(`${SELECT} AND a.id = ?`, userId);
	return row ? presentStatus(row) : {};
}

/** Everybody with a status, by ID. */
export function readStatuses(store: Store) {
	const statuses = store.all<StatusRow>(SELECT).map(row => [row.user_id, presentStatus(row)] as const);
	return Object.fromEntries(statuses.filter(([, status]) => Object.keys(status).length > 0));
}

function presentStatus({status_text, emoji_name, emoji_code, reaction_type, is_away}: StatusRow) {
	return {
		...(is_away && {away: true}),
		...(status_text !== '' && {status_text}),
		...(emoji_name !== '' && {emoji_name, emoji_code, reaction_type}),
	};
}

interface StatusChanges {
	readonly status_text: string | undefined;
	readonly away: boolean | undefined;
	readonly emoji_name: string | undefined;
	readonly emoji_code: string | undefined;
	readonly reaction_type: string | undefined;
}

export function changeStatus(services: Services, caller: Account, changes: StatusChanges): void {
	const {store, queues} = services;
	const {status_text, away} = changes;
	if (status_text === undefined && away === undefined && changes.emoji_name === undefined) {
		throw badRequest('Client did not pass any new values.');
	}

	const emoji = readEmoji(store, changes);

	const said = {...(status_text !== undefined && {status_text}), ...emoji};
	store.transaction(() => {
		if (away !== undefined) {
			changeSettings(services, caller, [{name: 'presence_enabled', value: !away}]);
		}

		store.run('INSERT OR IGNORE INTO user_statuses (user_id) VALUES (?)', caller.id);
		for (const [column, value] of Object.entries(said)) {
			store.run(`UPDATE user_statuses SET ${column} = ? WHERE user_id = ?`, value, caller.id);
		}

		const event = {type: 'user_status', user_id: caller.id, ...(away !== undefined && {away}), ...said};
		store.afterCommit(() => queues.publish(event));
	});
}

/** The name determines code and type if they are missing. An empty name removes the emoji. */
function readEmoji(store: Store, {emoji_name: name, emoji_code: code, reaction_type: type}: StatusChanges) {
	if (!name && (code !== undefined || type !== undefined)) {
		throw badRequest('Client must pass emoji_name if they pass either emoji_code or reaction_type.');
	}

	if (name === undefined) {
		return undefined;
	}

	if (name === '') {
		return {emoji_name: '', emoji_code: '', reaction_type: 'unicode_emoji'};
	}

	const emoji = {name, code: code ?? findEmoji(store, name).code, type: type ?? 'unicode_emoji'};
	checkEmoji(store, emoji);
	return {emoji_name: name, emoji_code: emoji.code, reaction_type: emoji.type};
}
