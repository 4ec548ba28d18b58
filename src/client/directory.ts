// Finds channels and people by the names that bots and people use. Names and addresses are compared as the service does.

import type {Channel, User} from '../api/index.js';

/** The channel of this name or ID. */
export function findChannel<Found extends Pick<Channel, 'stream_id' | 'name'>>(
	channels: readonly Found[],
	channel: number | string,
): Found | undefined {
	return typeof channel === 'number'
		? channels.find(({stream_id: id}) => id === channel)
		: channels.find(({name}) => isSame(name, channel));
}

/** The user of this email. Some services show others an address that is not the real one; both count. */
export function findByEmail(users: readonly User[], email: string): User | undefined {
	return users.find(user => hasEmail(user, email));
}

/** The active user of this full name or email. */
export function findByName(users: readonly User[], name: string): User | undefined {
	return users.find(user => user.is_active && (isSame(user.full_name, name) || hasEmail(user, name)));
}

function hasEmail({email, delivery_email: real}: User, address: string): boolean {
	return isSame(email, address) || (typeof real === 'string' && isSame(real, address));
}

function isSame(one: string, other: string): boolean {
	return one.toLowerCase() === other.toLowerCase();
}
