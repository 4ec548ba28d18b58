import test from 'ava';
import {NewerWorkError, readWork, type Work, WorkError, workRef, workText} from '../../src/delivery/work.js';
import {payload} from '../helpers/payload.js';

const account = {site: 'https://chat.example.com', email: 'echo-bot@chat.example.com'};
const request = {path: '/deploy', headers: {}, query: {}, body: 'pushed', at: 1};
const by = {id: 9, email: 'alice@chat.example.com', name: 'Alice'};
const here = {channel: 3, topic: 'lunch'};
const all: Work[] = [
	{kind: 'message', payload: payload()},
	{kind: 'cron', handler: 'daily', planned: 1_790_000_000_000},
	{kind: 'later', name: 'ring', data: {n: 1}, planned: 1_790_000_000_000, send: 'abc-1'},
	{kind: 'http', id: 'id 1', request},
	{kind: 'reaction', by, emoji: 'tada', code: '1f389', type: 'unicode_emoji', message: {id: 7, text: 'hi'}, here},
	{kind: 'edit', by, oldText: 'a', newText: 'b', at: 1, message: 7, here, fullName: 'Echo'},
	{kind: 'join', by, channel: {id: 3, name: 'lunch'}, count: 1, generation: 'g'},
	{kind: 'sendFailed', send: 'abc-1', reason: 'no such channel', answered: payload()},
];

test('every kind of work is read as it was stored, and has a delivery of its own', t => {
	for (const work of all) {
		t.deepEqual(readWork(workText(work)), work);
	}

	t.is(new Set(all.map(work => workRef(account, work).id)).size, all.length);
});

test('only the delivery of work that answers a message begins with the number of a message', t => {
	const numbered = all.filter(work => /^\d/.test(workRef(account, work).id)).map(({kind}) => kind);

	t.deepEqual(numbered, ['message', 'sendFailed']);
});

for (const [text, found] of [
	['x', /found text that is not JSON/],
	['{"nature":"dance"}', /\(message, cron, later, http, reaction, edit, join, sendFailed\), found `kind`/],
	['{"kind":"cron","planned":1}', /found `handler`/],
] as const) {
	test(`stored work such as ${text} is refused with what is wrong with it`, t => {
		t.throws(() => readWork(text), {instanceOf: WorkError, message: found});
	});
}

test('stored work of an unknown kind counts as work of a newer version', t => {
	t.throws(() => readWork('{"kind":"dance"}'), {instanceOf: NewerWorkError, message: /found the kind "dance"/});
});
