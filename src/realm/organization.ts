// The one organization of a realm.

import type {Store} from './store/store.js';

export interface Organization {
	readonly name: string;
	readonly description: string;
	/** Domain of the bots' emails. */
	readonly domain: string;
	readonly topics_policy: string;
	readonly can_mention_many_users_group: number;
	/** 1: it is deactivated, and nobody can log in. */
	readonly deactivated: 0 | 1;
}

/** The name that clients show for the empty topic. */
export const EMPTY_TOPIC_DISPLAY_NAME = 'general chat';

export const MAX_MESSAGE_LENGTH = 10_000;
export const MAX_TOPIC_LENGTH = 60;

export function organization(store: Store): Organization {
	const row = store.get<Organization>('SELECT * FROM organization');
	if (!row) {
		throw new Error('Expected the database to hold an organization, found none');
	}

	return row;
}
