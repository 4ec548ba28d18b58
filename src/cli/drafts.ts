// `bothy drafts`: lists bots' drafts in people's accounts, with their states.

import type {Account} from '../config/accounts.js';
import {createDraftStore, type ListedDraft, type Status} from '../drafts/store.js';
import {accountTag} from '../redis/account-key.js';
import {chooseAccounts, findAccounts, openLedger, type Terminal} from './once.js';
import {type Colour, type Paint, printable} from './paint.js';

export interface DraftsOptions {
	readonly account?: string;
	/** Show the text of drafts. */
	readonly text?: true;
	readonly json?: true;
}

export async function listDrafts(terminal: Terminal, {account: name, text, json}: DraftsOptions): Promise<undefined> {
	const accounts = chooseAccounts(findAccounts(terminal), name, '--account');
	const {connection} = await openLedger(terminal);
	const store = createDraftStore(connection);
	const {paint} = terminal;
	let count = 0;
	for (const account of accounts) {
		for (const draft of await store.list(accountTag(account))) {
			count++;
			const shown = {account, draft, withText: text === true};
			terminal.print(json ? jsonOf(shown) : lineOf(shown, paint));
		}
	}

	if (count === 0) {
		terminal.note(`No drafts for ${accounts.map(account => account.name).join(', ')}.`);
	}
}

interface Shown {
	readonly account: Account;
	readonly draft: ListedDraft;
	readonly withText: boolean;
}

function jsonOf({account, draft, withText}: Shown): string {
	const {bot, key, target, text} = draft;
	const {kind, ...rest} = draft.status;
	const {theirs, ...detail} = 'theirs' in rest ? rest : {theirs: undefined, ...rest};
	return JSON.stringify({
		account: account.name,
		bot,
		key,
		target: target === '' ? null : JSON.parse(target),
		status: kind,
		...detail,
		...(withText && {text, ...(theirs !== undefined && {theirs})}),
	});
}

const COLOURS: Readonly<Record<Status['kind'], Colour>> = {
	waiting: 'cyan',
	synced: 'green',
	edited: 'yellow',
	conflict: 'yellow',
	gone: 'dim',
	refused: 'red',
};

function lineOf({account, draft, withText}: Shown, paint: Paint): string {
	const {bot, key, target, text, status} = draft;
	// A person's text that a sync has overwritten and will restore.
	const what = bot === '' ? "the person's own text, to be restored" : `${printable(key)}  ${paint('dim', `by ${bot}`)}`;
	const reason = status.kind === 'refused' ? `: ${printable(status.reason)}` : '';
	const lines = [
		`${account.name}  ${paint(COLOURS[status.kind], status.kind)}${reason}  ${what}  ${printable(target)}`,
	];
	if (withText) {
		lines.push(...indented('bot   ', text), ...('theirs' in status ? indented('person', status.theirs) : []));
	}

	return lines.join('\n');
}

function indented(label: string, text: string): string[] {
	return printable(text)
		.split('\n')
		.map(line => `    ${label}  ${line}`);
}
