// Calls to an older server: the client sends nothing that the server would silently ignore.

import test from 'ava';
import {type Operation, operations} from '../../src/api/index.js';
import {ApiError} from '../../src/client/errors.js';
import {createLevel} from '../../src/client/level.js';
import {httpAnswer} from '../wire/kit/raw-server.js';
import {inTurn, openClient} from './client-kit.js';

const success = (fields: string) => httpAnswer('200 OK', `{"result":"success","msg":"",${fields}}\n`);
const settings = (level: number) => success(`"zulip_version":"9.0","zulip_feature_level":${level}`);

test('a call does not request the level if none of its parameters depend on it or they may be ignored', async t => {
	const {client, server} = await openClient(
		t,
		inTurn(success('"id":1'), success('"streams":[]'), success('"messages":[]')),
	);

	await client.sendMessage({type: 'direct', to: [1], content: 'x'});
	await client.getStreams({exclude_archived: true, include_all: undefined});
	await client.getMessages({anchor: 'newest', allow_empty_topic_name: true});

	t.is((await server.request(1)).line, 'POST /api/v1/messages HTTP/1.1');
	t.is((await server.request(2)).line, 'GET /api/v1/streams?exclude_archived=true HTTP/1.1');
	t.is((await server.request(3)).line, 'GET /api/v1/messages?anchor=newest&allow_empty_topic_name=true HTTP/1.1');
});

test('a call that depends on the level requests it once', async t => {
	const {client, server} = await openClient(t, inTurn(settings(400), success('"streams":[]')));

	await client.getStreams({include_all: true});
	await client.getStreams({include_all: true});

	const lines = [1, 2, 3].map(async n => (await server.request(n)).line);
	t.deepEqual(await Promise.all(lines), [
		'GET /api/v1/server_settings HTTP/1.1',
		'GET /api/v1/streams?include_all=true HTTP/1.1',
		'GET /api/v1/streams?include_all=true HTTP/1.1',
	]);
});

test('an older server is not called, and the error names both levels', async t => {
	const {client, server} = await openClient(t, settings(355));

	const error = await t.throwsAsync(client.getStreams({include_all: true}), {
		instanceOf: ApiError,
		message:
			'getStreams was refused: `include_all` needs a server of feature level 356, this one has 355 (UNSUPPORTED_BY_SERVER, HTTP 400)',
	});

	t.deepEqual(Object.entries(error?.fields ?? {}), [
		['needs', 356],
		['found', 355],
	]);
	t.is(server.count, 1);
});

test('the level comes with a queue, and again with the event of a restart', async t => {
	const restart = '{"id":1,"type":"restart","zulip_version":"10","zulip_feature_level":356}';
	const {client, server} = await openClient(
		t,
		inTurn(
			success('"queue_id":"q","last_event_id":-1,"zulip_feature_level":355'),
			success(`"events":[${restart},{"id":2,"type":"heartbeat"}]`),
			success('"streams":[]'),
		),
	);
	await client.register();
	await t.throwsAsync(client.getStreams({include_all: true}), {message: /this one has 355/});

	await client.getEvents({queue_id: 'q', last_event_id: -1});

	await t.notThrowsAsync(client.getStreams({include_all: true}));
	t.is(server.count, 3);
});

test('a renamed parameter has its old name on servers that know only that one', async t => {
	const groups = success('"user_groups":[]');
	const lineAt = async (level: number) => {
		const {client, server} = await openClient(t, inTurn(settings(level), groups));
		await client.getUserGroups({include_deactivated_groups: true});
		return (await server.request(2)).line;
	};

	t.is(await lineAt(293), 'GET /api/v1/user_groups?allow_deactivated=true HTTP/1.1');
	t.is(await lineAt(294), 'GET /api/v1/user_groups?include_deactivated_groups=true HTTP/1.1');
});

for (const {name, since, parameters, path} of Object.values<Operation>(operations)) {
	const inPath = Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => [parameter, 1]));
	const young = Object.entries(parameters).filter(
		([, parameter]) => (parameter.since ?? 0) > Math.max(168, since ?? 0),
	);
	const cases = [
		...(since !== undefined && since > 168 ? [{what: name, level: since - 1, given: inPath, refused: true}] : []),
		...young.map(([parameter, {since: needs = 0, ignorable = false}]) => ({
			what: `${name} with ${parameter}`,
			level: needs - 1,
			// A value other than the default.
			given: {...inPath, [parameter]: {new: 1}},
			refused: !ignorable,
		})),
	];
	for (const {what, level, given, refused} of cases) {
		test(`at level ${level} ${what} is ${refused ? 'not called' : 'called'}, one later it is`, async t => {
			const answer = httpAnswer('400 Bad Request', '{"result":"error","msg":"no","code":"BAD_REQUEST"}\n');
			const called = async (found: number) => {
				const {client, server} = await openClient(t, answer, {level: createLevel(found)});
				const call = client[name as keyof typeof operations] as (given: object) => Promise<unknown>;
				await t.throwsAsync(call(given), {instanceOf: ApiError});
				return server.count === 1;
			};

			t.deepEqual([await called(level), await called(level + 1)], [!refused, true]);
		});
	}
}
