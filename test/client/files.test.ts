// Files that people attached, and where the account's key goes when the bot reads them.

import test from 'ava';
import {FileError} from '../../src/client/download.js';
import {httpAnswer, startRawServer} from '../wire/kit/raw-server.js';
import {openClient} from './client-kit.js';

test('a file that the service keeps elsewhere is read there without the account’s key', async t => {
	const elsewhere = await startRawServer(t, httpAnswer('200 OK', 'hello'));
	const {client, server} = await openClient(
		t,
		httpAnswer('302 Found', '', [`Location: ${elsewhere.url}/signed?until=9`]),
	);

	const file = await client.download('/user_uploads/2/ab/notes.txt');

	t.is(await file.text(), 'hello');
	t.is((await server.request()).line, 'GET /user_uploads/2/ab/notes.txt HTTP/1.1');
	t.truthy((await server.request()).headers.authorization);
	const {line, headers} = await elsewhere.request();
	t.is(line, 'GET /signed?until=9 HTTP/1.1');
	t.is(headers.authorization, undefined);
});

test('a file that says nothing of its length is read up to the limit', async t => {
	const chunked = (text: string) =>
		`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;
	const {client} = await openClient(t, n => chunked(n === 1 ? 'hey' : 'hello'));

	const fits = await client.download('/user_uploads/2/ab/notes.txt', {maxBytes: 3});
	const isLarger = await client.download('/user_uploads/2/ab/notes.txt', {maxBytes: 3});

	t.is(await fits.text(), 'hey');
	await t.throwsAsync(isLarger.text(), {instanceOf: FileError, message: /at most 3 bytes/});
});

test('a file that is not there is an error with the status', async t => {
	const {client} = await openClient(t, httpAnswer('404 Not Found', ''));

	const error = await t.throwsAsync(client.download('/user_uploads/2/ab/notes.txt'), {instanceOf: FileError});

	t.is(error?.status, 404);
	t.is(error?.message, 'Expected a file, the service answered 404');
});
