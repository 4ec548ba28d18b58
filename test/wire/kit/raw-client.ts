// Our client in front of a server that answers with literal bytes.

import type {ExecutionContext} from 'ava';
import {createClient} from '../../../src/client/client.js';
import {ApiError} from '../../../src/client/errors.js';
import {createLevel} from '../../../src/client/level.js';
import {httpAnswer, startRawServer} from './raw-server.js';

/** Base64 of `echo-bot@chat.example.com:abcdefghijklmnopqrstuvwxyz012345`. */
export const AUTHORIZATION = 'Basic ZWNoby1ib3RAY2hhdC5leGFtcGxlLmNvbTphYmNkZWZnaGlqa2xtbm9wcXJzdHV2d3h5ejAxMjM0NQ==';

/** A client whose every call is answered with 200 and `body`. */
export async function clientAnswered(t: ExecutionContext, body: string) {
	return clientOf(t, httpAnswer('200 OK', body));
}

/** A client whose every call is refused. */
export async function clientRefused(t: ExecutionContext, status: string, body: string) {
	return clientOf(t, httpAnswer(status, body));
}

/** A client whose every call gets these bytes. */
export async function clientOf(t: ExecutionContext, answer: string) {
	const server = await startRawServer(t, answer);
	const client = createClient({
		site: server.url,
		email: 'echo-bot@chat.example.com',
		key: 'abcdefghijklmnopqrstuvwxyz012345',
		userAgent: 'Bothy/1.2.3',
		// New enough for everything: the server is not asked.
		level: createLevel(1000),
	});
	t.teardown(() => client.close());
	return {client, server};
}

/** What of a refusal a caller may decide by. */
export async function refusalOf(t: ExecutionContext, call: Promise<unknown>) {
	const error = await t.throwsAsync(call, {instanceOf: ApiError});
	return {code: error?.code, status: error?.status, reason: error?.reason, fields: error?.fields};
}
