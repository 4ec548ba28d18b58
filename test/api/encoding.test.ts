// Whatever fits an operation's parameters arrives as it was given: through our client, HTTP, and the realm's routes.

import {once} from 'node:events';
import http from 'node:http';
import type {AddressInfo} from 'node:net';
import test, {type ExecutionContext} from 'ava';
import fc from 'fast-check';
import Koa from 'koa';
import {type Operation, operations, pathParameters} from '../../src/api/index.js';
import {createClient} from '../../src/client/client.js';
import {ApiError} from '../../src/client/errors.js';
import {createLevel} from '../../src/client/level.js';
import {Clock} from '../../src/realm/clock.js';
import {OWNER_EMAIL, seedDemo} from '../../src/realm/demo.js';
import {badRequest} from '../../src/realm/errors.js';
import {EventQueues} from '../../src/realm/events/queues.js';
import {type Account, findAccountByEmail} from '../../src/realm/people/accounts.js';
import {ensureBot} from '../../src/realm/people/bots.js';
import {apiRoutes, type Handlers} from '../../src/realm/routes.js';
import type {Services} from '../../src/realm/services.js';
import {openStore} from '../../src/realm/store/store.js';
import {Trouble} from '../../src/realm/trouble/trouble.js';
import {arbitraryOf} from './arbitrary.js';

/** New enough for everything. */
const LEVEL = 1000;

const table: readonly Operation[] = Object.values(operations);
const SEEN = 'Seen';

type Given = Readonly<Record<string, unknown>>;
/** The realm's routes, with handlers that only note what they were given; and a client of one of its accounts. */
async function openRoutes(t: ExecutionContext, {callers}: Operation) {
	const noted: {operation: string; parameters: Given}[] = [];
	const clock = new Clock();
	const services: Services = {
		store: openStore(':memory:'),
		clock,
		queues: new EventQueues({clock, featureLevel: LEVEL}),
		trouble: new Trouble(),
		log() {},
		version: '12.0',
		featureLevel: LEVEL,
		presencePingSeconds: 60,
		generation: 0,
		publicAccess: true,
		site: 'http://127.0.0.1',
		wakeWebhooks() {},
		wakeDeliverer() {},
		wakeExpiry() {},
	};
	seedDemo(services);
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
	const app = new Koa();
	// One for each operation in the table.
	app.use(apiRoutes({services, handlers: Object.fromEntries(noting) as Handlers}));
	const server = http.createServer(app.callback()).listen(0, '127.0.0.1');
	await once(server, 'listening');

	// The demo organization has an owner.
	const olivia = findAccountByEmail(services.store, OWNER_EMAIL) as Account;
	const bot = ensureBot(services, {name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/', owner: olivia});
	const client = createClient({
		...(callers === 'bots' ? bot : {email: OWNER_EMAIL, key: olivia.api_key}),
		site: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		userAgent: 'Bothy/1.2.3',
		level: createLevel(LEVEL),
	});
	t.teardown(async () => {
		await client.close();
		server.close();
		clock.stop();
		services.store.close();
	});
	return {client, noted};
}

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
		const {client, noted} = await openRoutes(t, operation);
		const call = client[name as keyof typeof operations] as (given: object) => Promise<unknown>;
		await fc.assert(
			fc.asyncProperty(arbitrary, async given => {
				await t.throwsAsync(call(given), {instanceOf: ApiError, message: new RegExp(SEEN)});

				const seen = noted.pop();
				const expected = Object.entries(parameters).map(([parameter, {schema, default: value}]) => [
					parameter,
					// A schema may trim.
					Object.hasOwn(given, parameter) ? schema.parse((given as Given)[parameter]) : value,
				]);
				t.is(seen?.operation, name);
				t.deepEqual(await readable(seen?.parameters), await readable(Object.fromEntries(expected)));
			}),
			{numRuns: 40},
		);
	});
}
