// What an operator can do. Each action does what the command of the same name does, with the same code.

import {z} from '../api/zod.js';
import type {Account} from '../config/accounts.js';
import type {RedisStore} from '../delivery/redis-store.js';
import type {Host} from '../host/connections.js';
import {settleSend} from '../host/ledger/settle.js';
import {stateText} from '../host/ledger/shown.js';
import {PAUSED_TEXT, pauseBot, readPaused, resumeAccount} from '../host/paused-bots.js';
import {openPlanned} from '../host/schedules/run-now.js';
import {createOutboxStore} from '../outbox/store.js';
import {accountTag} from '../redis/account-key.js';
import type {RedisConnection} from '../redis/connection.js';
import {runCommand} from './run-command.js';

const Id = z.string().min(1).max(200);
const Tag = z.string().min(1).max(500);
const OfDelivery = {account: Tag, id: Id};
const OfSend = {...OfDelivery, n: z.int().min(1)};
const OfSchedule = {account: Tag, id: z.string().min(1).max(500)};

export const Action = z.discriminatedUnion('action', [
	z.strictObject({action: z.literal('replay'), ...OfDelivery}),
	z.strictObject({action: z.literal('dry run'), ...OfDelivery}),
	z.strictObject({action: z.literal('show text'), ...OfDelivery}),
	z.strictObject({action: z.literal('resolve as sent'), ...OfSend}),
	z.strictObject({action: z.literal('retry send'), ...OfSend}),
	z.strictObject({action: z.literal('cancel send'), ...OfSend}),
	z.strictObject({action: z.literal('pause'), account: Tag}),
	z.strictObject({action: z.literal('hold'), account: Tag}),
	z.strictObject({action: z.literal('resume'), account: Tag}),
	z.strictObject({action: z.literal('cancel schedule'), ...OfSchedule}),
	z.strictObject({action: z.literal('run schedule'), ...OfSchedule}),
]);
export type Action = z.infer<typeof Action>;

/** What came of an action. */
export interface Done {
	readonly isDone: boolean;
	/** In a few words, for the operator and the audit log. */
	readonly text: string;
	/** What a command printed. May contain messages. */
	readonly output?: string;
}

interface Parts {
	readonly redis: RedisConnection;
	readonly store: RedisStore;
	readonly accounts: readonly Account[];
	readonly env: NodeJS.ProcessEnv;
}

const done = (text: string): Done => ({isDone: true, text});
const refused = (text: string): Done => ({isDone: false, text});

export function openActions({teardown}: Pick<Host, 'teardown'>, {redis, store, accounts, env}: Parts) {
	const outboxes = createOutboxStore(redis);
	const {schedules, runNow, enqueue, rerun, close} = openPlanned(redis, accounts);
	teardown.add(close);

	async function replay(account: Account, id: string, isDry: boolean): Promise<Done> {
		// The id comes last and cannot be an option.
		const args = ['replay', '--bot', account.name, ...(isDry ? ['--dry-run'] : []), '--', id];
		const {isOk, output} = await runCommand(args, env);
		const what = isDry ? 'Dry run' : 'Replay';
		return {isDone: isOk, text: `${what} of ${id}: ${isOk ? 'the handler ended' : 'it failed'}.`, output};
	}

	async function settle(account: string, {id, n}: {id: string; n: number}, state: 'waiting' | 'sent 0'): Promise<Done> {
		const outcome = await settleSend({outboxes, enqueue}, {ref: {account, id}, n}, state);
		if (outcome !== 'resolved') {
			const standing = outcome === '' ? 'waiting' : stateText(outcome);
			return refused(`Expected a send that failed or is unknown, but ${id}/${n} is ${standing}.`);
		}

		return done(state === 'waiting' ? `A worker posts ${id}/${n} again.` : `${id}/${n} counts as sent.`);
	}

	async function cancelSend(account: string, {id, n}: {id: string; n: number}): Promise<Done> {
		const ref = {account, id};
		const entry = await outboxes.readEntry({ref, n});
		const isCancelled = entry !== undefined && (await outboxes.cancel({ref, n}, entry.name ?? ''));
		if (isCancelled) {
			await enqueue(ref);
		}

		return isCancelled ? done(`Cancelled ${id}/${n}.`) : refused(`It is too late to cancel ${id}/${n}.`);
	}

	async function cancelSchedule(account: string, id: string): Promise<Done> {
		const found = await schedules.find(account, id);
		if (found?.kind === 'cron' && found.handler !== undefined) {
			return refused(`${id} is a .cron() in the bot's code. Remove it there.`);
		}

		const isCancelled = found !== undefined && (await schedules.cancel(account, id));
		return isCancelled ? done(`Cancelled ${id}.`) : refused(`${id} is gone, or too late to cancel.`);
	}

	async function runSchedule(account: Account, id: string): Promise<Done> {
		const outcome = await runNow(account, id);
		if (outcome === 'unknown') {
			return refused(`There is no schedule ${id} any more.`);
		}

		return outcome === 'running'
			? done(`${id} runs now.`)
			: refused(`${id} is being posted, or its previous run still runs.`);
	}

	/** `show text` changes nothing; the API reads the delivery for it. */
	return async function act(action: Exclude<Action, {action: 'show text'}>): Promise<Done> {
		const account = accounts.find(candidate => accountTag(candidate) === action.account);
		if (!account) {
			return refused('This account is not in the config.');
		}

		const tag = action.account;
		switch (action.action) {
			case 'replay':
			case 'dry run':
				return replay(account, action.id, action.action === 'dry run');
			case 'resolve as sent':
				return settle(tag, action, 'sent 0');
			case 'retry send':
				return settle(tag, action, 'waiting');
			case 'cancel send':
				return cancelSend(tag, action);
			case 'pause':
			case 'hold': {
				// The page offers this only while the bot runs. So somebody else has paused it in the meantime, maybe with another text.
				if ((await readPaused(redis)).has(tag)) {
					return refused(`${account.name} is paused already. Resume it first.`);
				}

				await pauseBot(redis, tag, action.action === 'hold' ? {} : {text: PAUSED_TEXT});
				const what = action.action === 'hold' ? 'its messages wait' : 'it answers with a text';
				return done(`Paused ${account.name}. Within 5 s, ${what}.`);
			}
			case 'resume': {
				const {wasPaused, count} = await resumeAccount({redis, store, rerun}, tag);
				return wasPaused || count > 0
					? done(`${account.name} answers again within 5 s. Deliveries that waited and run now: ${count}.`)
					: refused(`${account.name} was not paused.`);
			}
			case 'cancel schedule':
				return cancelSchedule(tag, action.id);
			case 'run schedule':
				return runSchedule(account, action.id);
		}
	};
}
