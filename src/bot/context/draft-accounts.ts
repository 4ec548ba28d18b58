// The drafts of bots in the accounts of a host.

import {Target} from '../../delivery/target.js';
import {accountTag} from '../../redis/account-key.js';
import {type BotDraft, type DraftStatus, type Drafts, UnknownAccount} from './drafts.js';

/** An account in which bots may put drafts. */
export interface DraftAccount {
	/** Its section in the config file. */
	readonly name: string;
	readonly site: string;
	readonly email: string;
}

/** The kinds of status are the same as in the store; only the name of the tag differs. */
type Status<Draft = DraftStatus> = Draft extends {readonly status: infer Kind}
	? {readonly kind: Kind} & Omit<Draft, 'status'>
	: never;

/** The store of drafts, by the tag of the account and the bot's email. */
interface Store {
	put(account: string, bot: string, draft: {key: string; target: string; text: string}): Promise<void>;
	remove(account: string, bot: string, key: string): Promise<void>;
	list(account: string): Promise<readonly {bot: string; key: string; target: string; text: string; status: Status}[]>;
}

export interface DraftAccountsOptions<Account extends DraftAccount> {
	readonly accounts: readonly Account[];
	readonly store: Store;
	/** Enqueues a sync of the account's drafts. */
	enqueue(account: Account): Promise<void>;
}

/** The drafts of a bot in an account. Name the account by its section, or by its email on the bot's own site. */
export function createDraftAccounts<Account extends DraftAccount>({
	accounts,
	store,
	enqueue,
}: DraftAccountsOptions<Account>): (bot: {site: string; email: string}, account: string) => Drafts {
	return function draftsOf({site, email: bot}, name): Drafts {
		const account = findAccount(accounts, name, site);
		const tag = accountTag(account);
		return {
			async put(key, target, text) {
				await store.put(tag, bot, {key, target: JSON.stringify(target), text});
				await enqueue(account);
			},
			async remove(key) {
				await store.remove(tag, bot, key);
				await enqueue(account);
			},
			async list() {
				const all = await store.list(tag);
				return all
					.filter(draft => draft.bot === bot.toLowerCase())
					.map(({key, target, text, status: {kind, ...rest}}) => {
						const shown = {key, target: Target.parse(JSON.parse(target)), text, status: kind, ...rest};
						return shown as BotDraft;
					});
			},
		};
	};
}

function findAccount<Account extends DraftAccount>(accounts: readonly Account[], name: string, site: string): Account {
	const found =
		accounts.find(account => account.name === name) ??
		// On another site, the same email may belong to another person.
		accounts.find(account => account.site === site && account.email.toLowerCase() === name.toLowerCase());
	if (!found) {
		const names = accounts.map(account => account.name).join(', ');
		throw new UnknownAccount(
			`Expected ctx.drafts() with an account of the config file (${names}) or its email, got "${name}"`,
		);
	}

	return found;
}
