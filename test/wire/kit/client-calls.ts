// Tests of our client written as what goes over the wire: what a method is given, the literal request that it makes, and the
// literal fields of a success that answers it.
//
//     clientCalls('updateUserStatus', {
//         'sends text as it is': [{status_text: 'away'}, 'POST /api/v1/users/me/status status_text=away'],
//     });

import test from 'ava';
import type {Client} from '../../../src/client/client.js';
import {AUTHORIZATION, clientAnswered} from './raw-client.js';
import type {Json} from './raw-request.js';
import {type Expected, fill, like} from './story.js';

type Method = Exclude<keyof Client, 'email' | 'site' | 'call' | 'download' | 'close'>;

type Row<Name extends Method> = readonly [
	/** What the operation's method is given, or the whole call. */
	given: NonNullable<Parameters<Client[Name]>[0]> | ((client: Client) => Promise<unknown>),
	/** Method, path with its query, and the form, byte by byte. A GET has no form. */
	request: string,
	/** Fields of the answer after `result` and `msg`, or a whole answer in braces. */
	answer?: string,
	/** What the call resolves to, at least these fields. Default: the fields of the answer. */
	result?: object,
];

export function clientCalls<Name extends Method>(name: Name, rows: Readonly<Record<string, Row<Name>>>): void {
	for (const [title, [given, request, fields = '', result]] of Object.entries<Row<Name>>(rows)) {
		test(`${name}: the client ${title}`, async t => {
			const success = `{"result":"success","msg":""${fields && ','}${fields}}`;
			const answer = fields.startsWith('{') ? fields : success;
			const {client, server} = await clientAnswered(t, `${answer}\n`);

			// The row has what this method is given.
			const method = client[name] as (given?: object) => Promise<unknown>;
			const isEmpty = Object.keys(given).length === 0;
			const resolved = await (typeof given === 'function' ? given(client) : isEmpty ? method() : method(given));

			const {line, headers, body} = await server.request();
			const [verb = '', path, ...form] = request.split(' ');
			t.is(line, `${verb} ${path} HTTP/1.1`);
			t.is(body, form.join(' '));
			t.is(headers.authorization, AUTHORIZATION);
			t.is(headers['user-agent'], 'Bothy/1.2.3');
			t.is(headers['content-type'], verb === 'GET' ? undefined : 'application/x-www-form-urlencoded');
			if (verb === 'POST') {
				t.is(headers['content-length'], String(Buffer.byteLength(body)));
			}

			const {result: _result, msg: _msg, ...all} = JSON.parse(answer);
			// As JSON: what is undefined is absent.
			const found = JSON.parse(JSON.stringify(resolved ?? {})) as Json;
			t.deepEqual(fill(atLeast((result ?? all) as Json), found, new Map()), found);
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
