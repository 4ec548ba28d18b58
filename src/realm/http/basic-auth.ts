// Authenticates by HTTP Basic with email and API key, with the service's errors (service-facts.md 1.2).

import {timingSafeEqual} from 'node:crypto';
import {RealmError} from '../errors.js';
import {organization} from '../organization.js';
import {type Account, findAccountByEmail} from '../people/accounts.js';
import type {Store} from '../store/store.js';

export function authenticate(store: Store, authorization: string): Account {
	const {email, key} = readCredentials(authorization);
	if (!/^[A-Za-z0-9]{32}$/.test(key)) {
		throw unauthorized('Malformed API key');
	}

	const account = findAccountByEmail(store, email);
	if (!account || !timingSafeEqual(Buffer.from(account.api_key), Buffer.from(key))) {
		throw unauthorized('Invalid API key');
	}

	if (!account.is_active) {
		throw unauthorized('Account is deactivated');
	}

	return account;
}

/** The host name must be that of the organization: `other.localhost` would be another one. */
export function checkOrganization(store: Store, host: string): void {
	if (organization(store).deactivated) {
		throw unauthorized('This organization has been deactivated');
	}

	if (/^[^.]+\.localhost(:\d+)?$/i.test(host)) {
		throw unauthorized('Account is not associated with this subdomain');
	}
}

function readCredentials(authorization: string): {email: string; key: string} {
	if (authorization === '') {
		throw unauthorized('Not logged in: API authentication or user session required');
	}

	const [scheme = '', encoded = ''] = authorization.split(/\s+/, 2);
	if (scheme.toLowerCase() !== 'basic') {
		throw new RealmError('This endpoint requires HTTP basic authentication.', 'BAD_REQUEST');
	}

	const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(encoded);
	const parts = isBase64 ? Buffer.from(encoded, 'base64').toString().split(':') : [];
	if (parts.length !== 2) {
		throw unauthorized('Invalid authorization header for basic auth');
	}

	return {email: parts[0]?.trim() ?? '', key: parts[1]?.trim() ?? ''};
}

export function unauthorized(message: string): RealmError {
	return new RealmError(message, 'UNAUTHORIZED', 401);
}
