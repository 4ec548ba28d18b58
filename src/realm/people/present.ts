// The API object of an account, with data from other tables.

import type {User} from '../../api/index.js';
import {profileData} from '../profile/values.js';
import type {Services} from '../services.js';
import {type Account, isBot, presentAccount} from './accounts.js';

/** From this level on, users have `is_deleted`. */
const FIRST_LEVEL_WITH_DELETED = 490;

/** Before this level, users had `is_billing_admin`; here it was always false. */
const FIRST_LEVEL_WITHOUT_BILLING = 363;

export interface Presentation {
	/** Undefined without login. */
	readonly viewer: Account | undefined;
	readonly clientGravatar: boolean;
	/** Only humans have a profile. */
	readonly withProfile: boolean;
}

export function presentUser(
	{store, featureLevel}: Pick<Services, 'store' | 'featureLevel'>,
	account: Account,
	{viewer, clientGravatar, withProfile}: Presentation,
): User {
	return {
		...presentAccount(store, account, {viewer, clientGravatar}),
		...(featureLevel < FIRST_LEVEL_WITHOUT_BILLING && {is_billing_admin: false}),
		...(account.is_deleted && featureLevel >= FIRST_LEVEL_WITH_DELETED && {is_deleted: true}),
		...(withProfile && !isBot(account) && {profile_data: profileData(store, account)}),
	};
}
