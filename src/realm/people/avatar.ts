import type {Services} from '../services.js';
import {type Account, avatarUrl} from './accounts.js';

/** Tells everybody that somebody looks different from now on. */
export function publishAvatar({queues}: Pick<Services, 'queues'>, account: Account): void {
	const url = avatarUrl(account, {clientGravatar: false});
	const person = {
		user_id: account.id,
		avatar_url: url,
		avatar_url_medium: url,
		avatar_source: 'G',
		avatar_version: 1,
	};
	queues.publish({type: 'realm_user', op: 'update', person});
}
