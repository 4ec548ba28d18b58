// `bothy replay`: runs the current code on a stored delivery.

import {randomUUID} from 'node:crypto';
import {setTimeout as sleep} from 'node:timers/promises';
import {type Operation, operations} from '../../api/index.js';
import type {Drafts} from '../../bot/context/drafts.js';
import type {Client} from '../../client/client.js';
import type {Account} from '../../config/accounts.js';
import {isOpen} from '../../delivery/ledger.js';
import type {RedisStore} from '../../delivery/redis-store.js';
import type {DeliveryRef} from '../../delivery/ref.js';
import {dryRun, type Replay, type ReplayedItem, replay} from '../../delivery/replay.js';
import type {LedgerEntry} from '../../delivery/store.js';
import {readWork} from '../../delivery/work.js';
import {createEnqueue} from '../../host/background/enqueue.js';
import {assignBots, type BotAccount, type Dependencies, handleWith} from '../../host/bots.js';
import {openPlugins} from '../../host/connections.js';
import {openDependencies} from '../../host/dependencies.js';
import {openQueue} from '../../queue/define-queue.js';
import {sends} from '../../queue/sends.js';
import {CommandError, chooseAccounts, findAccounts, type Ledger, openLedger, type Terminal} from '../once.js';
import {printable} from '../paint.js';
import {findDeliveries} from './deliveries.js';
import {pageOf, type Shown} from './ledger-entry.js';
import {localTime} from './since.js';

/** Returns the exit code: 1 if the bot threw. */
export async function replayDelivery(
	terminal: Terminal,
	{id, bot, dryRun: isDry}: {id: string; bot?: string; dryRun?: true},
): Promise<number> {
	const accounts = chooseAccounts(findAccounts(terminal), bot);
	const ledger = await openLedger(terminal);
	const {account, entry} = await findOne(ledger.store, {accounts, id});
	const replayed = replayOf(await assignBot(terminal, account), entry);
	return isDry ? runDry(terminal, {replayed, ledger}) : runAgain(terminal, {replayed, ledger});
}

async function findOne(
	store: RedisStore,
	{accounts, id}: {accounts: ReturnType<typeof findAccounts>; id: string},
): Promise<Shown> {
	const [found, ...others] = await findDeliveries(store, {accounts, id});
	if (!found || others.length > 0) {
		const names = [found, ...others].map(shown => shown?.account.name).join(' and ');
		throw new CommandError(`${names} both have a delivery ${id}: choose one with --bot`);
	}

	return found;
}

/** @throws CommandError if it has not ended, or if its text was deleted. */
export function replayOf(account: BotAccount, {ref, work: text, status}: LedgerEntry): Replay<BotAccount> {
	if (status === 'running') {
		throw new CommandError(`Expected a delivery that has ended, but ${ref.id} is still running`);
	}

	if (text === undefined) {
		throw new CommandError(`The text of ${ref.id} was deleted (LEDGER_TEXT_HOURS), so it cannot be replayed`);
	}

	return {account, ref, work: readWork(text)};
}

/** The account with its plugin. @throws CommandError if that cannot run. */
export async function assignBot(terminal: Terminal, account: Account): Promise<BotAccount> {
	const plugins = await openPlugins(terminal, [account]);
	const [assigned] = assignBots([account], plugins, {environment: process.env});
	if (!assigned || (!assigned.work && assigned.forward === undefined)) {
		const reason =
			assigned?.problem ?? plugins.broken.find(({name}) => name === account.bot)?.reason ?? 'it does not exist';
		throw new CommandError(`The plugin \`${account.bot}\` cannot run: ${reason}`);
	}

	return assigned;
}

interface Parts {
	readonly replayed: Replay<BotAccount>;
	readonly ledger: Ledger;
}

async function runDry(terminal: Terminal, {replayed, ledger}: Parts): Promise<number> {
	const {account, ref} = replayed;
	if (account.forward !== undefined) {
		throw new CommandError(`${account.name} is forwarded to another host, so a dry run is not possible`);
	}

	const dependencies = openDependencies(terminal, {
		...ledger,
		accounts: findAccounts(terminal),
		enqueue: async () => {},
	});
	const handle = handleWith(withoutEffects(dependencies, terminal.note));
	const {said, error} = await dryRun(replayed, {store: ledger.store, handle});
	terminal.note(`Dry run of ${ref.id} by ${account.name}. Nothing is posted or stored.`);
	terminal.print(printable(said.length === 0 ? 'Would not reply.' : said.map(describe).join('\n')));
	if (error === undefined) {
		return 0;
	}

	terminal.print(printable(`Failed: ${error}`));
	return 1;
}

/** The same dependencies, but every effect is printed instead. */
function withoutEffects(dependencies: Dependencies, note: Terminal['note']): Dependencies {
	return {
		...dependencies,
		schedules: {list: async () => [], cancel: async () => true, reschedule: async () => true, replace: async () => {}},
		draftsOf: () => noDrafts(note),
		sent: async () => 0,
		questions(writer) {
			return {...dependencies.questions(writer), put: async () => 'put'};
		},
		async fetchOnce(url, init) {
			if (['GET', 'HEAD'].includes((init.method ?? 'GET').toUpperCase())) {
				return dependencies.fetchOnce(url, init);
			}

			note(`Would call ${init.method} ${new URL(url).host}.`);
			return new Response('{}');
		},
		clientOf(account) {
			const client = dependencies.clientOf(account);
			return client && readOnly(client, note);
		},
		values(writer) {
			const values = dependencies.values(writer);
			return {
				...values,
				async put(key) {
					note(`Would store \`${key}\`.`);
					return 'put';
				},
				async clear() {
					note('Would delete everything in its storage.');
				},
			};
		},
	};
}

/** A client that reads, and prints writes instead of making them. */
function readOnly(client: Client, note: Terminal['note']): Client {
	const writing = Object.values<Operation>(operations).filter(({method}) => method !== 'GET');
	const told = writing.map(({name}) => [
		name,
		async () => {
			note(`Would call ${name}.`);
			return {};
		},
	]);
	const call: Client['call'] = async (raw, options) => {
		if (raw.method === 'GET') {
			return client.call(raw, options);
		}

		note(`Would call ${raw.method} ${raw.path}.`);
		return {};
	};
	return {...client, ...Object.fromEntries(told), call};
}

/** Prints changes of drafts instead of storing them. */
function noDrafts(note: Terminal['note']): Drafts {
	return {
		async put(key) {
			note(`Would put the draft ${key}.`);
		},
		async remove(key) {
			note(`Would remove the draft ${key}.`);
		},
		list: async () => [],
	};
}

function describe(said: ReplayedItem): string {
	if (said.kind !== 'send') {
		return `${said.kind === 'reply' ? 'Would reply' : 'Would change its message to'}: ${said.text}`;
	}

	const when = said.dueAt === 0 ? '' : ` at ${localTime(said.dueAt)}`;
	return `Would send to ${said.target}${when}: ${said.text}`;
}

/** Runs deliveries of these accounts again; resolves when the handler has ended. */
export function openReplaying(terminal: Terminal, ledger: Ledger, accounts: readonly Account[]) {
	const queue = openQueue(sends, ledger.connection);
	terminal.teardown.add(() => queue.close());
	const enqueue = createEnqueue(queue, accounts);
	const host = {
		process: randomUUID(),
		store: ledger.store,
		log: terminal.log,
		handle: handleWith(openDependencies(terminal, {...ledger, accounts: findAccounts(terminal), enqueue})),
		enqueue,
	};
	return {queue, replayOne: (replayed: Replay<BotAccount>) => replay(replayed, host)};
}

async function runAgain(terminal: Terminal, {replayed, ledger}: Parts): Promise<number> {
	const {queue, replayOne} = openReplaying(terminal, ledger, [replayed.account]);
	const ref = await replayOne(replayed);
	if ((await queue.countWorkers()) === 0) {
		terminal.note("No worker runs (`bothy worker`): the bot's messages wait for one.");
	}

	const entry = await settled(ledger.store, ref);
	const {paint} = terminal;
	terminal.print(pageOf({account: replayed.account, entry}, {paint, withText: false, withPayload: false}));
	return entry.error === undefined ? 0 : 1;
}

/** How long to wait for a worker, in milliseconds. */
const POSTED_MS = 5_000;

/** Resolves with the delivery when everything is posted, or after the time limit. */
async function settled(store: RedisStore, ref: DeliveryRef): Promise<LedgerEntry> {
	const until = performance.now() + POSTED_MS;
	for (;;) {
		const entry = await store.read(ref);
		if (!entry) {
			throw new CommandError(`The replay ${ref.id} is not in the ledger any more. Was Redis flushed?`);
		}

		const isWaited = entry.outbox.some(({dueAt}) => dueAt <= Date.now()) && isOpen(entry);
		if (!isWaited || performance.now() > until) {
			return entry;
		}

		await sleep(50);
	}
}
