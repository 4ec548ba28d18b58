// Tokens of phones (service-facts.md 7.11). Nothing is ever pushed to them here.

import {badRequest} from '../errors.js';
import type {Store} from '../store/store.js';
import type {Account} from './accounts.js';

const MAX_TOKEN_LENGTH = 4096;

export interface PushToken {
	readonly service: 'apns' | 'fcm';
	readonly token: string;
}

/** One that is known already stays. */
export function addPushToken(store: Store, {id}: Account, device: PushToken & {readonly appId?: string}): void {
	const sql = 'INSERT OR REPLACE INTO push_tokens (user_id, service, token, app_id) VALUES (?, ?, ?, ?)';
	store.run(sql, id, device.service, checkToken(device), device.appId ?? null);
}

export function removePushToken(store: Store, {id}: Account, device: PushToken): void {
	const place = [id, device.service, checkToken(device)] as const;
	const condition = 'WHERE user_id = ? AND service = ? AND token = ?';
	if (!store.get(`SELECT 1 AS found FROM push_tokens ${condition}`, ...place)) {
		throw badRequest('Token does not exist');
	}

	store.run(`DELETE FROM push_tokens ${condition}`, ...place);
}

/** The token by which devices compare; Apple's are numbers, and so in either case. */
function checkToken({service, token}: PushToken): string {
	if (token === '' || token.length > MAX_TOKEN_LENGTH) {
		throw badRequest('Empty or invalid length token');
	}

	if (service === 'fcm') {
		return token;
	}

	// Whole bytes.
	if (!/^(?:[\da-f]{2})+$/i.test(token)) {
		throw badRequest('Invalid APNS token');
	}

	return token.toLowerCase();
}
