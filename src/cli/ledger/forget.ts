// `bothy forget`: deletes what Redis stores about a person, and says what it does not delete.

import {ApiError} from '../../client/errors.js';
import type {Account} from '../../config/accounts.js';
import {findPerson, type Person} from '../../host/person.js';
import {CommandError, chooseAccounts, findAccounts, openLedger, type Terminal} from '../once.js';
import {openClient} from '../open-client.js';
import {printable} from '../paint.js';
import {actOnAll} from './bulk.js';

export interface ForgetOptions {
	/** User ID or email. */
	readonly who: string;
	readonly bot?: string;
	/** Keys of bots' storage to delete as well. */
	readonly storage?: readonly string[];
	readonly yes?: number;
}

const RATE = 1_000;

/** Returns the exit code: 1 if something could not be deleted. */
export async function forgetPerson(
	terminal: Terminal,
	{who, bot, storage: storageKeys = [], ...options}: ForgetOptions,
): Promise<number> {
	const accounts = chooseAccounts(findAccounts(terminal), bot);
	const sites = new Set(accounts.map(({site}) => site));
	if (/^\d+$/.test(who) && sites.size > 1) {
		throw new CommandError(
			`A user ID belongs to one site, but these accounts are of ${[...sites].join(', ')}: choose a bot with --bot, or give an email`,
		);
	}

	const {connection} = await openLedger(terminal);
	const found = await Promise.all(
		accounts.map(async account => {
			const person = await resolve(terminal, account, who);
			return {account, ...(await findPerson(connection, account, {person, storageKeys}))};
		}),
	);
	const items = found.flatMap(({account, holdings}) => holdings.map(holding => ({account, ...holding})));
	for (const {account, holdings, kept, storage} of found) {
		const kinds = [...new Set(holdings.map(({kind}) => kind))];
		const countOf = (wanted: string) => holdings.filter(({kind}) => kind === wanted).length;
		const counts = kinds.map(kind => `${kind}: ${countOf(kind)}`).join(', ') || 'nothing';
		terminal.print(`${account.name} (${account.email}, ${account.site})  To delete: ${counts}`);
		for (const [why, count] of kept) {
			terminal.print(`  Stays: ${count} ${why}`);
		}

		if (storage.length > 0) {
			const names = storage.map(key => JSON.stringify(key)).join(', ');
			terminal.print(
				printable(`  Stays: storage that may be about them. To delete a key, add --storage <key>: ${names}`),
			);
		}
	}

	terminal.print(
		'Stays: messages in the service, lines in logs, backups, and what others wrote about the person. The ledger deletes the latter within a week.',
	);
	return actOnAll(
		terminal,
		{
			verb: 'delete',
			things: 'entries',
			items,
			describe: ({account, kind, name}) => `${account.name}  ${kind}  ${name}`,
			async act({drop}) {
				await drop();
				return true;
			},
		},
		{...options, rate: RATE},
	);
}

async function resolve(terminal: Terminal, account: Account, who: string): Promise<Person> {
	const client = openClient(terminal, account);
	try {
		const {user} = /^\d+$/.test(who)
			? await client.getUser({user_id: Number(who)})
			: await client.getUserByEmail({email: who});
		return {id: user.user_id, email: user.email};
	} catch (error) {
		if (/^\d+$/.test(who)) {
			// Bothy can also forget a person that the service has already deleted.
			return {id: Number(who), email: undefined};
		}

		const reason = error instanceof ApiError ? error.reason : String(error);
		throw new CommandError(`${account.site} does not know ${who} (${reason}). Give the user ID instead.`);
	}
}
