// Push tokens of phones (service-facts.md 7.11). The realm never sends push notifications.

import {badRequest} from '../errors.js';
import type {Services} from '../services.js';
import type {Account} from './accounts.js';

const MAX_TOKEN_LENGTH = 4096;

/** Before this level, tokens of Apple devices were in base64. */
const FIRST_LEVEL_WITH_HEXADECIMAL = 406;

export interface PushToken {
	readonly service: 'apns' | 'fcm';
	readonly token: string;
}

/** A known token stays as it is. */
export function addPushToken(services: Services, {id}: Account, device: PushToken & {readonly appId?: string}): void {
	const sql = 'INSERT OR REPLACE INTO push_tokens (user_id, service, token, app_id) VALUES (?, ?, ?, ?)';
	services.store.run(sql, id, device.service, checkToken(services, device), device.appId ?? null);
}

export function removePushToken(services: Services, {id}: Account, device: PushToken): void {
	const {store} = services;
	const place = [id, device.service, checkToken(services, device)] as const;
	const condition = 'WHERE user_id = ? AND service = ? AND token = ?';
	if (!store.get(`SELECT 1 AS found FROM push_tokens ${condition}`, ...place)) {
		throw badRequest('Token does not exist');
	}

	store.run(`DELETE FROM push_tokens ${condition}`, ...place);
}

/** The normal form of a token, for comparison. Apple's are hex numbers, so case does not matter. */
function checkToken({featureLevel}: Services, {service, token}: PushToken): string {
	if (token === '' || token.length > MAX_TOKEN_LENGTH) {
		throw badRequest('Empty or invalid length token');
	}

	if (service === 'fcm') {
		return token;
	}

	if (featureLevel < FIRST_LEVEL_WITH_HEXADECIMAL) {
		return readBase64(token);
	}

	// Only whole bytes.
	if (!/^(?:[\da-f]{2})+$/i.test(token)) {
		throw badRequest('Invalid APNS token');
	}

	return token.toLowerCase();
}

/** The bytes of a base64 text. As the service does, it skips other characters and stops after the padding. */
function readBase64(token: string): string {
	let digits = '';
	let pads = 0;
	for (const each of token) {
		const rest = digits.length % 4;
		pads += each === '=' && rest >= 2 ? 1 : 0;
		if (pads > 0 && rest + pads >= 4) {
			return hexadecimal(digits);
		}

		if (/[A-Za-z0-9+/]/.test(each)) {
			digits += each;
			pads = 0;
		}
	}

	if (digits.length % 4 !== 0 || !/^\p{ASCII}*$/u.test(token)) {
		throw badRequest('Invalid APNS token');
	}

	return hexadecimal(digits);
}

function hexadecimal(base64: string): string {
	return Buffer.from(base64, 'base64').toString('hex');
}
