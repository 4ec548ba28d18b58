// Whatever fits an operation's parameters arrives as it was given: through our client, HTTP, and the realm's routes.

import http from 'node:http';
import test from 'ava';
import fc from 'fast-check';
import Koa from 'koa';
import {type Operation, operations, pathParameters} from '../../src/api/index.js';
import {type Client, createClient} from '../../src/client/client.js';
import {ApiError} from '../../src/client/errors.js';
import {createLevel} from '../../src/client/level.js';
import {badRequest} from '../../src/realm/errors.js';
import {startRealm} from '../../src/realm/index.js';
import {apiRoutes, type Handlers} from '../../src/realm/routes.js';
import {createLocalPool} from '../../src/testing/connections.js';
import {ECHO, signIn} from '../realm/realm-kit.js';
import {arbitraryOf} from './arbitrary.js';

/** New enough for everything. */
const LEVEL = 1000;

const table: readonly Operation[] = Object.values(operations);
const SEED = 2026;
const SEEN = 'Seen';

type Given = Readonly<Record<string, unknown>>;
type Call = (given: object) => Promise<unknown>;

/** What the realm's handlers were given; they do nothing else. */
const noted: {operation: string; parameters: Given}[] = [];
const noting = table.map(({name}) => [
	name,
	{
		operation: name,
		raw: [],
		answer({parameters}: {parameters: Given}) {
			noted.push({operation: name, parameters});
			throw badRequest(SEEN);
		},
	},
]);

let close = async () => {};
/** Clients of the realm's owner, and of a bot. */
let clients: Readonly<Record<'human' | 'bot', Client>>;

test.before(async () => {
	const realm = await startRealm({file: ':memory:', port: 0});
	const app = new Koa();
	app.use(
		apiRoutes({
			services: {...realm.services, featureLevel: LEVEL},
			// One for each operation in the table.
			handlers: Object.fromEntries(noting) as Handlers,
		}),
	);
	const pool = createLocalPool(http.createServer(app.callback()), realm.url, 1);
	const clientOf = ({email, key}: {email: string; key: string}) =>
		createClient({email, key, pool, site: realm.url, userAgent: 'Bothy/1.2.3', level: createLevel(LEVEL)});
	clients = {human: clientOf(signIn(realm, 'olivia')), bot: clientOf(realm.ensureBot(ECHO))};
	close = async () => {
		await Promise.all([pool.destroy(), realm.close()]);
	};
});
test.after.always(() => close());

/** IDs are never negative, `me` is oneself, and text in a path is not quoted: what reads as JSON there cannot be meant. */
function fitsPath(value: unknown): boolean {
	return typeof value === 'string'
		? /^[^\d\s"[{.-][^\n\r]*$/.test(value) && !/^(true|false|null|me$)/.test(value)
		: Number(value) >= 0;
}

/** A file compares by its name, type and bytes. */
async function readable(parameters: Given = {}): Promise<Given> {
	const {file} = parameters;
	return file instanceof File
		? {...parameters, file: {name: file.name, type: file.type, bytes: Buffer.from(await file.arrayBuffer())}}
		: parameters;
}

for (const operation of table) {
	const {name, path, parameters} = operation;
	const inPath = pathParameters(path);
	const arbitrary = fc.record(
		Object.fromEntries(
			Object.entries(parameters).map(([parameter, {schema}]) => [
				parameter,
				inPath.includes(parameter) ? arbitraryOf(schema).filter(fitsPath) : arbitraryOf(schema),
			]),
		),
		{requiredKeys: Object.keys(parameters).filter(parameter => parameters[parameter]?.required)},
	);

	test.serial(`what ${name} is given is what the realm reads`, async t => {
		const client = clients[operation.callers === 'bots' ? 'bot' : 'human'];
		const call = client[name as keyof typeof operations] as Call;
		await fc.assert(
			fc.asyncProperty(arbitrary, async given => {
				// `t.throwsAsync` notes where it was called, which costs as much as the call.
				const error = await call(given).catch(reason => reason);
				t.true(error instanceof ApiError && error.message.includes(SEEN), String(error));

				const seen = noted.pop();
				const expected = Object.entries(parameters).map(([parameter, {schema, default: value}]) => [
					parameter,
					// A schema may trim.
					Object.hasOwn(given, parameter) ? schema.parse((given as Given)[parameter]) : value,
				]);
				t.is(seen?.operation, name);
				t.deepEqual(await readable(seen?.parameters), await readable(Object.fromEntries(expected)));
			}),
			// Without parameters there is one call to make.
			{numRuns: Object.keys(parameters).length === 0 ? 1 : 12, seed: SEED},
		);
	});
}
