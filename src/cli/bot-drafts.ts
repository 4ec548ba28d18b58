// The drafts of this host's accounts, as its bots keep them.

import {type BotDraft, type DraftStatus, type Drafts, UnknownAccount} from '../bot/drafts.js';
import type {Account} from '../config.js';
import {accountTag} from '../delivery/ref.js';
import {createDraftStore, type ListedDraft, type Status} from '../drafts/store.js';
import type {RedisConnection} from '../queue/connection.js';
import {openQueue} from '../queue/define-queue.js';
import {drafts, lineUpSync} from '../queue/drafts.js';
import {Target} from '../queue/sends.js';
import type {DraftsOf} from './bots.js';
import type {Host} from './parts.js';

export function openDrafts(
	{log, teardown}: Host,
	{connection, accounts}: {connection: RedisConnection; accounts: readonly Account[]},
): DraftsOf {
	const store = createDraftStore(connection);
	const queue = openQueue(drafts, connection);
	teardown.add(() => queue.close());

	async function change(account: Account, write: () => Promise<void>): Promise<void> {
		await withRedis(write);
		await lineUpSync(queue, account).catch((error: Error) => {
			// It is seen when the worker looks after all accounts, within a minute.
			log.warn({account: account.name, reason: error.message}, 'no worker could be told of a draft');
		});
	}

	return function draftsOf(bot, name): Drafts {
		const account = findAccount(accounts, name);
		const tag = accountTag(account);
		return {
			put: (key, target, text) =>
				change(account, () => store.put(tag, bot, {key, target: JSON.stringify(target), text})),
			remove: key => change(account, () => store.remove(tag, bot, key)),
			async list() {
				const all = await withRedis(() => store.list(tag));
				return all.filter(draft => draft.bot === bot.toLowerCase()).map(present);
			},
		};
	};
}

function findAccount(accounts: readonly Account[], name: string): Account {
	const found =
		accounts.find(account => account.name === name) ??
		accounts.find(account => account.email.toLowerCase() === name.toLowerCase());
	if (!found) {
		const names = accounts.map(account => account.name).join(', ');
		throw new UnknownAccount(
			`Expected ctx.drafts() with an account of the config file (${names}) or its email, got "${name}"`,
		);
	}

	return found;
}

async function withRedis<Result>(act: () => Promise<Result>): Promise<Result> {
	try {
		return await act();
	} catch (error) {
		throw new Error('Drafts stand in Redis, which does not answer now', {cause: error});
	}
}

function present({key, target, text, status}: ListedDraft): BotDraft {
	return {key, target: Target.parse(JSON.parse(target)), text, ...presentStatus(status)};
}

function presentStatus({kind, ...rest}: Status): DraftStatus {
	// The kinds and what comes with them are the same; only the tag's name differs.
	return {status: kind, ...rest} as DraftStatus;
}
