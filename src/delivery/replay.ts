// Runs the current code on a stored delivery: as a new delivery whose answers a worker posts, or as a dry run.

import {randomUUID} from 'node:crypto';
import {nextAfter} from '../queue/cron.js';
import {ALWAYS_AVAILABLE, type Retry} from '../redis/availability.js';
import {createSessionLine, sessionKey} from '../storage/session.js';
import type {Outbound} from './outbound.js';
import type {RedisStore} from './redis-store.js';
import type {DeliveryRef} from './ref.js';
import {Run} from './run.js';
import type {RunHost} from './run-scope.js';
import type {Claim} from './store.js';
import type {AccountRules, Task} from './task.js';
import {answeredBy, type Work, workText} from './work.js';

/** The delivery to run again. */
export interface Replay<Account extends AccountRules> {
	readonly account: Account;
	/** The original delivery. It does not change. */
	readonly ref: DeliveryRef;
	readonly work: Work;
}

export interface ReplayHost<Account extends AccountRules> extends RunHost {
	readonly store: RedisStore;
	handle(task: Task<Account>): Promise<unknown>;
}

const REPLAY = /-r\d+$/;

/** How often the lease and the handler's timeout are checked. */
const TICK_MS = 50;

/** The replay that would follow this delivery. */
export function nextReplay({account, id}: DeliveryRef): DeliveryRef {
	const [replayed = '-r0'] = REPLAY.exec(id) ?? [];
	return {account, id: `${id.replace(REPLAY, '')}-r${Number(replayed.slice('-r'.length)) + 1}`};
}

/** Whether an operator made the delivery. It then runs in the operator's process only. */
export function isReplay({id}: DeliveryRef): boolean {
	return REPLAY.test(id);
}

/** Resolves with the new delivery (for example `<id>-r1`) once its handler has ended. */
export async function replay<Account extends AccountRules>(
	{account, ref: original, work}: Replay<Account>,
	host: ReplayHost<Account>,
): Promise<DeliveryRef> {
	const {ref, claimed, holder} = await claimNext(original, {work, host});
	await host.store.decideLate(ref);
	const run = new Run({
		ref,
		store: host.store,
		claimed: {...claimed, isLate: true},
		holder,
		host,
		timeoutMs: account.timeoutMs,
	});
	const sessions = createSessionLine(host.store, () => false);
	run.start(async () => {
		const key = sessionKey(account, answeredBy(work));
		const session = key === undefined ? undefined : await sessions.enter(run, ref, key);
		await host.handle({
			account,
			work,
			session,
			run,
		});
	});
	const ticking = setInterval(() => run.tick(performance.now()), TICK_MS);
	await run.ended;
	clearInterval(ticking);
	return ref;
}

/** The first number that no replay has used yet. */
async function claimNext<Account extends AccountRules>(
	{account, id}: DeliveryRef,
	{work, host}: {work: Work; host: ReplayHost<Account>},
): Promise<{ref: DeliveryRef; claimed: Claim & {kind: 'run'}; holder: string}> {
	for (let ref = nextReplay({account, id: id.replace(REPLAY, '')}); ; ref = nextReplay(ref)) {
		if (await host.store.read(ref)) {
			continue;
		}

		const holder = `${host.process} ${randomUUID()}`;
		const request = {nonce: holder, work: workText(work), sender: 0, perMinute: 0, leavesLapsed: true};
		const claimed = await host.store.claim(ref, request);
		if (claimed.kind === 'run') {
			return {ref, claimed, holder};
		}
	}
}

/** What a bot would have posted. */
export type ReplayedItem =
	| {readonly kind: 'reply' | 'edit'; readonly text: string}
	/** `dueAt` in milliseconds since 1970; 0 for at once. */
	| {readonly kind: 'send'; readonly target: string; readonly text: string; readonly dueAt: number};

export interface DryRun {
	readonly said: readonly ReplayedItem[];
	/** What the handler threw, with its stack. */
	readonly error: string | undefined;
}

/** Runs the handler and collects what it posts. Claims, stores and posts nothing. */
export async function dryRun<Account extends AccountRules>(
	{account, ref, work}: Replay<Account>,
	{store, handle}: Pick<ReplayHost<Account>, 'store' | 'handle'>,
): Promise<DryRun> {
	const said: ReplayedItem[] = [];
	let error: string | undefined;
	const key = sessionKey(account, answeredBy(work));
	const json = key === undefined ? undefined : await store.readSession(ref.account, key);
	const signal = AbortSignal.timeout(account.timeoutMs);
	const aborted = new Promise<never>((_, reject) => {
		signal.addEventListener('abort', () => reject(new Error(`The handler took longer than ${account.timeoutMs} ms`)));
	});
	const say: Outbound = {
		async reply(text) {
			said.push({kind: 'reply', text});
			return `dry-${said.length}`;
		},
		async post() {},
		async edit({text}) {
			said.push({kind: 'edit', text});
		},
		async send({target, text}) {
			said.push({kind: 'send', target, text, dueAt: 0});
			return `dry-${said.length}`;
		},
		async schedule({target, text, dueAt, name}) {
			said.push({kind: 'send', target, text, dueAt});
			return name ?? `dry-${said.length}`;
		},
		async repeat({target, text, cron, name}) {
			said.push({kind: 'send', target, text, dueAt: nextAfter(cron, Date.now())});
			return name ?? `dry-${said.length}`;
		},
		failed(reason) {
			error = reason;
		},
	};
	const session = key === undefined ? undefined : {json, save() {}};
	try {
		const run = {say, signal, writer: {ref, run: 0}, retry: ALWAYS_AVAILABLE.retry as Retry};
		await Promise.race([handle({account, work, session, run}), aborted]);
	} catch (thrown) {
		error ??= thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
	}

	return {said, error};
}
