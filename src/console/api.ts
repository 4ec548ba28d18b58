// The console's API: JSON for its own page.

import type {Context} from 'koa';
import {z} from '../api/zod.js';
import type {Account} from '../config/accounts.js';
import {LEDGER_STATUSES} from '../delivery/ledger.js';
import type {RedisStore} from '../delivery/redis-store.js';
import {accountTag} from '../redis/account-key.js';
import {Action, type Done} from './actions.js';
import type {Audit} from './audit.js';
import {readDetails} from './details.js';
import {ConsoleError} from './refuse.js';
import type {SearchQuery, SearchResult} from './search.js';
import type {Session} from './session.js';
import {addressOf} from './sign-in.js';
import type {openWatch} from './watch.js';

export interface ApiParts {
	readonly accounts: readonly Account[];
	readonly store: RedisStore;
	readonly audit: Audit;
	readonly watch: ReturnType<typeof openWatch>;
	search(query: SearchQuery): Promise<SearchResult>;
	act(action: Exclude<Action, {action: 'show text'}>): Promise<Done>;
}

const Time = z.coerce.number().int().min(0).max(1e14);

const Query = z.object({
	q: z.string().max(200).default(''),
	status: z.enum(LEDGER_STATUSES).optional(),
	account: z.string().max(500).optional(),
	since: Time.default(0),
	/** Only the latest milliseconds, instead of `since`. */
	within: Time.optional(),
	before: Time.default(1e14),
});

const REFERENCE = /^[\da-f]{8}$/i;

export type Handler = (ctx: Context, session: Session) => Promise<unknown>;

/** By method and path. */
export function createApi({accounts, store, audit, watch, search, act}: ApiParts): Readonly<Record<string, Handler>> {
	const tags = accounts.map(accountTag);
	const nameOf = (tag: string) => accounts[tags.indexOf(tag)]?.name ?? tag;

	/** A whole id or a reference leads to one delivery. */
	async function findExact(q: string) {
		const isId = /^[\w.-]+-[\w-]+$/.test(q);
		const refs = REFERENCE.test(q)
			? await Promise.all(tags.map(account => store.findReference(account, q)))
			: isId
				? tags.map(account => ({account, id: q}))
				: [];
		const entries = await Promise.all(refs.map(ref => ref && store.read(ref)));
		return entries.flatMap(entry => (entry ? [entry.ref] : []));
	}

	async function listDeliveries(ctx: Context) {
		const {q, status, account, within, before, ...query} = parse(Query, ctx.query);
		const since = within === undefined ? query.since : Date.now() - within;
		const exact = await findExact(q.trim());
		const chosen = account === undefined ? tags : tags.filter(tag => tag === account);
		const {rows, searchedTo} = await search({accounts: chosen, needle: lower(q.trim()), status, since, before});
		return {exact, since, searchedTo, rows: rows.map(row => ({...row, bot: nameOf(row.account)}))};
	}

	async function readDelivery(ctx: Context) {
		const {account = '', id} = parse(z.object({account: z.string(), id: z.string().max(200)}), ctx.query);
		return details({account, id}, false);
	}

	async function details(ref: {account: string; id: string}, withText: boolean) {
		const found = tags.includes(ref.account) ? await readDetails(store, ref, {withText}) : undefined;
		if (!found) {
			throw new ConsoleError(404, `There is no delivery ${ref.id}. The ledger keeps deliveries for a week.`);
		}

		return {...found, bot: nameOf(ref.account)};
	}

	/** Two operators may press the same button. */
	const underWay = new Set<string>();

	async function perform(ctx: Context, {who}: Session) {
		const action = parse(Action, ctx.request.body);
		const n = 'n' in action ? `/${action.n}` : '';
		const line = {
			who,
			from: addressOf(ctx),
			what: action.action,
			about: `${nameOf(action.account)} ${'id' in action ? action.id : ''}${n}`.trim(),
		};
		if (action.action === 'show text') {
			const shown = await details(action, true);
			await audit.write({...line, outcome: 'shown'});
			return shown;
		}

		const key = JSON.stringify(action);
		if (underWay.has(key)) {
			const text = 'Somebody has just requested this, and it is still running.';
			await audit.write({...line, outcome: text});
			return {isDone: false, text};
		}

		underWay.add(key);
		try {
			const outcome = await act(action);
			await audit.write({...line, outcome: outcome.text});
			return outcome;
		} catch (error) {
			await audit.write({...line, outcome: 'failed; it may have been done in part'}).catch(() => {});
			throw error;
		} finally {
			underWay.delete(key);
			watch.forget();
		}
	}

	return {
		'GET /api/attention': async () => ({...(await watch.attention()), audit: await audit.latest()}),
		'GET /api/health': async () => watch.health(),
		'GET /api/deliveries': listDeliveries,
		'GET /api/delivery': readDelivery,
		'GET /api/accounts': async () => accounts.map(({name}, index) => ({name, account: tags[index]})),
		'POST /api/act': perform,
	};
}

/** As Lua does it: only A to Z. */
function lower(text: string): string {
	return text.replace(/[A-Z]/g, letter => letter.toLowerCase());
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
	const {data, error} = schema.safeParse(value);
	if (error) {
		const [issue] = error.issues;
		throw new ConsoleError(400, `This request is not valid. \`${issue?.path.join('.')}\`: ${issue?.message}.`);
	}

	return data;
}
