// `bothy presence`: lists the accounts with `presence`, one per line.

import type {Account} from '../config/accounts.js';
import {isPresent, type PresentAccount, presenceStateOf} from '../presence/account.js';
import {isWithin} from '../presence/hours.js';
import {createPresenceStore, type PresenceState} from '../presence/store.js';
import {accountTag} from '../redis/account-key.js';
import {localTime} from './ledger/since.js';
import {findAccounts, openLedger, type Terminal} from './once.js';
import {type Paint, printable} from './paint.js';

export async function listPresence(terminal: Terminal, {json}: {json?: true}): Promise<undefined> {
	const accounts = findAccounts(terminal).filter((account): account is Account & PresentAccount => isPresent(account));
	if (accounts.length === 0) {
		terminal.note('No account has `presence = active` or `presence = idle` in its section.');
		return;
	}

	const {connection} = await openLedger(terminal);
	const kept = await createPresenceStore(connection).read(accounts.map(accountTag));
	const {paint} = terminal;
	const nameWidth = Math.max(...accounts.map(({name}) => name.length));
	for (const [n, account] of accounts.entries()) {
		const shown = {account, state: presenceStateOf(account, kept[n]), isInHours: isInHours(account)};
		terminal.print(json ? jsonOf(shown) : lineOf(shown, {paint, nameWidth}));
	}
}

function isInHours({presence: {hours}}: PresentAccount): boolean {
	return hours === undefined || isWithin(hours, Date.now());
}

interface Shown {
	readonly account: PresentAccount;
	readonly state: PresenceState;
	readonly isInHours: boolean;
}

function lineOf({account, state, isInHours: isIn}: Shown, {paint, nameWidth}: {paint: Paint; nameWidth: number}) {
	const {pingedAt} = state;
	return [
		account.name.padEnd(nameWidth),
		account.presence.status.padEnd(6),
		isIn ? paint('green', 'in hours'.padEnd(12)) : paint('dim', 'out of hours'),
		`last ping ${pingedAt === undefined ? 'never' : localTime(pingedAt)}`,
		remarkOf(state, paint),
	]
		.join('  ')
		.trimEnd();
}

function remarkOf({parked, failed, waitUntil}: PresenceState, paint: Paint): string {
	if (parked) {
		return paint('red', printable(`parked until its section changes: ${parked.reason}`));
	}

	if (failed) {
		return paint('yellow', printable(`failed ${localTime(failed.at)}: ${failed.reason}`));
	}

	return waitUntil === undefined ? '' : paint('yellow', `waits until ${localTime(waitUntil)}: too many calls`);
}

function jsonOf({account, state, isInHours: isIn}: Shown): string {
	const {pingedAt, parked, failed, waitUntil} = state;
	return JSON.stringify({
		account: account.name,
		email: account.email,
		site: account.site,
		status: account.presence.status,
		in_hours: isIn,
		last_ping: pingedAt === undefined ? null : isoTime(pingedAt),
		parked: parked?.reason ?? null,
		failed: failed ? {at: isoTime(failed.at), reason: failed.reason} : null,
		waits_until: waitUntil === undefined ? null : isoTime(waitUntil),
	});
}

function isoTime(ms: number): string {
	return new Date(ms).toISOString();
}
