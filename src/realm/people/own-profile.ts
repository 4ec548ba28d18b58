// Changes of the caller's own account that need checks: name, email, language, time zone (service-facts.md 5).

import {badRequest} from '../errors.js';
import type {Services} from '../services.js';
import type {Store} from '../store/store.js';
import {type Account, findAccountByEmail} from './accounts.js';
import {changeEmail, isEmail} from './email.js';
import {isPassword} from './log-in.js';
import {checkName} from './name.js';
import {changeName} from './update.js';

const languages =
	'ar be bg bn ca cs cy da de el en en-gb es eu fa fi fr gl gu hi hr hu id it ja ko lt lv ml mn nb nl pl pt pt-br pt-pt ro ru si sr sv ta tl tr uk uz vi zh-hans zh-hant zh-tw'.split(
		' ',
	);

interface OwnChanges {
	readonly full_name: string | undefined;
	readonly email: string | undefined;
	readonly old_password: string | undefined;
	readonly new_password: string | undefined;
	readonly timezone: string | undefined;
	readonly default_language: string | undefined;
}

/** Call it within a transaction: all changes, or none. */
export function changeOwnProfile(services: Services, caller: Account, changes: OwnChanges): void {
	const {store} = services;
	const {full_name: name, email, timezone, default_language: language} = changes;
	checkLanguageAndZone(changes);
	if (changes.new_password !== undefined) {
		throw badRequest(
			isPassword(changes.old_password ?? '') ? 'Everybody has the same password in a local realm.' : 'Wrong password!',
		);
	}

	if (email !== undefined && email.trim() !== caller.email) {
		checkAddress(store, email.trim());
		changeEmail(services, caller, email.trim());
	}

	if (name !== undefined && name.trim() !== caller.full_name) {
		checkName(name.trim());
		changeName(services, caller, name);
	}

	if (language !== undefined) {
		changeLanguage(services, caller, language);
	}

	if (timezone !== undefined && timezone !== caller.timezone) {
		changeZone(services, caller, timezone);
	}
}

export function readLanguage(store: Store, {id}: Pick<Account, 'id'>): string {
	const sql = "SELECT value FROM user_settings WHERE user_id = ? AND name = 'default_language'";
	const row = store.get<{value: string}>(sql, id);
	return row ? JSON.parse(row.value) : 'en';
}

function checkLanguageAndZone({default_language: language, timezone}: OwnChanges): void {
	if (timezone) {
		try {
			new Intl.DateTimeFormat('en', {timeZone: timezone});
		} catch {
			throw badRequest('Invalid timezone: Value error, Not a recognized time zone');
		}
	}

	if (language !== undefined && !languages.includes(language)) {
		throw badRequest('Invalid default_language');
	}
}

function checkAddress(store: Store, email: string): void {
	if (!isEmail(email)) {
		throw badRequest('Invalid address.');
	}

	if (findAccountByEmail(store, email)) {
		throw badRequest('Already has an account.');
	}
}

function changeLanguage({store, queues}: Services, caller: Account, language: string): void {
	if (language === readLanguage(store, caller)) {
		return;
	}

	store.run(
		"INSERT INTO user_settings (user_id, name, value) VALUES (?, 'default_language', ?) ON CONFLICT DO UPDATE SET value = excluded.value",
		caller.id,
		JSON.stringify(language),
	);
	const name = new Intl.DisplayNames([language], {type: 'language'}).of(language) ?? language;
	const event = {
		type: 'user_settings',
		op: 'update',
		property: 'default_language',
		value: language,
		language_name: name,
	};
	store.afterCommit(() => queues.publishTo(caller.id, event));
}

function changeZone({store, queues}: Services, caller: Account, timezone: string): void {
	store.run('UPDATE accounts SET timezone = ? WHERE id = ?', timezone, caller.id);
	store.afterCommit(() => {
		queues.publishTo(caller.id, {type: 'user_settings', op: 'update', property: 'timezone', value: timezone});
		queues.publish({type: 'realm_user', op: 'update', person: {user_id: caller.id, timezone}});
	});
}
