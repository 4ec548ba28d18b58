// `bothy accounts`: lists accounts with data in Redis, and moves the data of a site to its new address.

import {cronTicks} from '../queue/cron-ticks.js';
import {openQueue} from '../queue/define-queue.js';
import {accountTag} from '../redis/account-key.js';
import {moveAccount, storedAccounts} from '../redis/stored-accounts.js';
import {CommandError, findAccounts, openLedger, type Terminal} from './once.js';
import {tableLines} from './table.js';

export async function listAccounts(terminal: Terminal, {json}: {json?: true}): Promise<undefined> {
	const {connection} = await openLedger(terminal);
	const stored = await storedAccounts(connection);
	const configured = new Map(findAccounts(terminal).map(account => [accountTag(account), account.name]));
	const tags = [...new Set([...configured.keys(), ...stored.keys()])].toSorted();
	const rows = tags.map(tag => ({tag, bot: configured.get(tag), keys: stored.get(tag) ?? 0}));
	if (json) {
		for (const {tag, bot, keys} of rows) {
			const [site, email] = tag.split('|');
			terminal.print(JSON.stringify({bot: bot ?? null, site, email, keys}));
		}

		return;
	}

	const cells = rows.map(({tag, bot, keys}) => ({
		cells: [bot ?? '(none)', String(keys)],
		notes: [tag.replace('|', '  ')],
	}));
	terminal.print(tableLines(['BOT', 'KEYS'], cells).join('\n'));
	if (rows.some(({bot}) => bot === undefined)) {
		terminal.note(
			'(none): the account is not in the config. If its site has moved, run: bothy accounts move <old site> <new site>',
		);
	}
}

export interface MoveOptions {
	readonly from: string;
	readonly to: string;
}

/** Moves the data of a site to another address. */
export async function moveAccounts(terminal: Terminal, {from, to}: MoveOptions): Promise<undefined> {
	const [oldSite, newSite] = [siteOf(from), siteOf(to)];
	const configured = new Set(findAccounts(terminal).map(accountTag));
	const {connection} = await openLedger(terminal);
	const stored = [...(await storedAccounts(connection)).keys()].filter(tag => tag.startsWith(`${oldSite}|`));
	if (stored.length === 0) {
		throw new CommandError(
			`Expected a site with something in Redis, found nothing for ${oldSite}. See \`bothy accounts\`.`,
		);
	}

	if (stored.some(tag => configured.has(tag))) {
		throw new CommandError(`${oldSite} is still in the config: change \`site\` there first, and restart Bothy.`);
	}

	const queue = openQueue(cronTicks, connection);
	terminal.teardown.add(() => queue.close());
	for (const [id, {data}] of await queue.repeated()) {
		if (data.site === oldSite) {
			// A worker creates it again for the new site.
			await queue.endRepeat(id);
		}
	}

	for (const tag of stored) {
		const target = `${newSite}${tag.slice(oldSite.length)}`;
		const keys = await moveAccount(connection, {from: tag, to: target});
		const isKnown = configured.has(target);
		terminal.print(
			`${tag.slice(oldSite.length + 1)}: ${keys} keys moved to ${newSite}${isKnown ? '' : ' (in no config)'}.`,
		);
	}
}

function siteOf(text: string): string {
	if (!/^https?:\/\//.test(text) || !URL.canParse(text)) {
		throw new CommandError(`Expected a site such as https://chat.example.com, found "${text}"`);
	}

	return text.replace(/\/+$/, '');
}
