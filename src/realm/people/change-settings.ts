// Changes settings, with what follows from it and with the events that tell of it. Equal values change nothing.

import {forgetDrafts} from '../drafts/drafts.js';
import {badRequest} from '../errors.js';
import type {Services} from '../services.js';
import type {Account} from './accounts.js';
import {addressOf} from './addresses.js';
import {notificationSounds} from './notification-sounds.js';
import {hidePresence} from './presence.js';
import {publishAddress} from './publish-account.js';
import {type Change, readDefault, readSetting, writeDefault, writeSetting} from './settings.js';

const MAX_BATCHING_SECONDS = 7 * 24 * 3600;

export function changeSettings(services: Services, account: Account, changes: readonly Change[]): void {
	checkChanges(changes);
	services.store.transaction(() => {
		for (const change of changes) {
			changeSetting(services, account, change);
		}
	});
}

function changeSetting(services: Services, account: Account, change: Change): void {
	const {store, queues} = services;
	const {name, value} = change;
	if (value === readSetting(store, account, name)) {
		return;
	}

	const address = addressOf(store, account);
	writeSetting(store, account, change);
	store.afterCommit(() => queues.publishTo(account.id, {type: 'user_settings', op: 'update', property: name, value}));
	if (name === 'email_address_visibility') {
		publishAddress(services, {before: address, after: addressOf(store, account)});
	}

	if (name === 'enable_drafts_synchronization' && !value) {
		forgetDrafts(store, account);
	}

	if (name === 'presence_enabled' && !value) {
		hidePresence(services, account.id);
	}
}

export function changeDefaults({store, queues}: Services, changes: readonly Change[]): void {
	checkChanges(changes);
	store.transaction(() => {
		for (const change of changes) {
			const {name, value} = change;
			if (value !== readDefault(store, name)) {
				writeDefault(store, change);
				store.afterCommit(() =>
					queues.publish({type: 'realm_user_settings_defaults', op: 'update', property: name, value}),
				);
			}
		}
	});
}

/** What the types of the parameters do not say. */
function checkChanges(changes: readonly Change[]): void {
	for (const {name, value} of changes) {
		if (name === 'notification_sound' && value !== 'none' && !notificationSounds.includes(String(value))) {
			throw badRequest(`Invalid notification sound '${value}'`);
		}

		const seconds = Number(value);
		if (name === 'email_notifications_batching_period_seconds' && (seconds < 1 || seconds > MAX_BATCHING_SECONDS)) {
			throw badRequest(`Invalid email batching period: ${value} seconds`);
		}
	}
}
