// Tests of our client written as what goes over the wire: a call, the literal request that it makes, the literal answer.
//
//     clientCalls('getUserStatus', {
//         'reads a status': {
//             call: client => client.getUserStatus({user_id: 10}),
//             line: 'GET /api/v1/users/10/status',
//             answer: '{"result":"success","msg":"","status":{"status_text":"away"}}',
//             result: {status: {status_text: 'away'}},
//         },
//     });

import test from 'ava';
import type {Client} from '../../../src/client/client.js';
import {AUTHORIZATION, clientAnswered} from './raw-client.js';
import type {Json} from './raw-request.js';
import {type Expected, fill, like} from './story.js';

interface Call {
	call(client: Client): Promise<unknown>;
	/** Method and path with its query. */
	readonly line: string;
	/** The form, byte by byte; empty when absent. A GET has none. */
	readonly body?: string;
	/** The body of the answer; an empty success when absent. */
	readonly answer?: string;
	/** What the call resolves to, at least these fields; not looked at when absent. */
	readonly result?: object;
}

export function clientCalls(operation: string, calls: Readonly<Record<string, Call>>): void {
	for (const [title, {call, line, body = '', answer = '{"result":"success","msg":""}', result}] of Object.entries(
		calls,
	)) {
		test(`${operation}: the client ${title}`, async t => {
			const {client, server} = await clientAnswered(t, `${answer}\n`);

			const resolved = await call(client);

			const request = await server.request();
			t.is(request.line, `${line} HTTP/1.1`);
			t.is(request.headers.authorization, AUTHORIZATION);
			t.is(request.headers['user-agent'], 'Bothy/1.2.3');
			t.is(request.body, body);
			const form = line.startsWith('GET ') ? undefined : 'application/x-www-form-urlencoded';
			t.is(request.headers['content-type'], form);
			if (line.startsWith('POST ')) {
				t.is(request.headers['content-length'], String(Buffer.byteLength(body)));
			}

			if (result) {
				// As JSON: what is undefined is absent.
				const found = JSON.parse(JSON.stringify(resolved)) as Json;
				t.deepEqual(fill(atLeast(result as Json), found, new Map()), found);
			}
		});
	}
}

/** Objects may have more fields; lists have these items and no more. */
function atLeast(value: Json): Expected {
	if (Array.isArray(value)) {
		return value.map(atLeast);
	}

	return typeof value === 'object' && value !== null
		? like(Object.fromEntries(Object.entries(value).map(([key, field]) => [key, atLeast(field)])))
		: value;
}
