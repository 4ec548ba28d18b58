// How commands print times, deliveries and answers.

import test, {type ExecutionContext} from 'ava';
import {answerTable} from '../../src/cli/ledger/answer-table.js';
import {headerOf, jsonOf, lineOf, pageOf} from '../../src/cli/ledger/ledger-entry.js';
import {localTime, parseSince} from '../../src/cli/ledger/since.js';
import {createPaint, type Paint} from '../../src/cli/paint.js';
import {noteLines} from '../../src/cli/table.js';
import type {LedgerEntry} from '../../src/delivery/store.js';
import {workText} from '../../src/delivery/work.js';
import {duration} from '../../src/host/duration.js';
import {payload} from '../helpers/payload.js';

/** What the command reads of a terminal with this many columns; undefined: the output goes elsewhere. */
function setColumns(t: ExecutionContext, columns: number | undefined): void {
	const {columns: before} = process.stdout;
	t.teardown(() => Object.assign(process.stdout, {columns: before}));
	Object.assign(process.stdout, {columns});
}

const NOW = Date.parse('2026-11-21T12:00:00Z');

test('a note has the width of the terminal, and elsewhere it is whole', t => {
	const note = 'x'.repeat(200);
	setColumns(t, 100);
	t.deepEqual(noteLines([note]), [`  ${'x'.repeat(97)}…`]);
	for (const unknown of [undefined, 0]) {
		setColumns(t, unknown);
		t.deepEqual(noteLines([note]), [`  ${note}`]);
	}
});

test('a time is a duration ago, a local day, or an ISO time', t => {
	t.is(parseSince('90s', NOW), NOW - 90_000);
	t.is(parseSince('1.5h', NOW), NOW - 5_400_000);
	t.is(parseSince('2d', NOW), NOW - 172_800_000);
	t.is(localTime(parseSince('2026-11-20', NOW)), '2026-11-20 00:00:00');
	t.is(localTime(parseSince('2026-11-20 10:30', NOW)), '2026-11-20 10:30:00');
	t.is(parseSince('2026-11-20T10:30:00Z', NOW), Date.parse('2026-11-20T10:30:00Z'));
});

const refused = test.macro({
	exec(t, text: string) {
		t.throws(() => parseSince(text, NOW), {message: /^Expected 30s, 15m, 2h, 3d, 2026-11-21/});
	},
	title: (_, text) => `"${text}" is no time`,
});

test(refused, 'yesterday');
test(refused, '5');
test(refused, '-2h');
test(refused, '2026-13-41');
test(refused, '');

test('a duration has one unit', t => {
	t.deepEqual([-3, 0.4, 999, 1_000, 119_949, 300_000].map(duration), [
		'0 ms',
		'0 ms',
		'999 ms',
		'1.0 s',
		'119.9 s',
		'5 min',
	]);
});

const account = {name: 'echo', email: 'e@x', key: 'KEYKEYKEY', site: 'https://chat', tokens: ['TOKEN1'], bot: 'echo'};

const entryOf = (differences: Partial<LedgerEntry> = {}): LedgerEntry => ({
	ref: {account: 'https://chat|e@x', id: '4711-abc'},
	status: 'done',
	decision: 'inline',
	runs: 1,
	stops: 0,
	isHeld: false,
	arrivedAt: 1_790_000_000_000,
	endedAt: 1_790_000_000_012,
	work: workText({kind: 'message', payload: payload({text: 'my secret'})}),
	answer: '{"content":"your secret"}',
	error: undefined,
	outbox: [
		{n: 1, kind: 'send', target: '{"dm":[9]}', text: 'a secret', dueAt: 0, mayBePosted: false, state: 'unknown'},
	],
	...differences,
});

const plain: Paint = (_, text) => text;
const line = (differences: Partial<LedgerEntry> = {}) =>
	lineOf({account, entry: entryOf({outbox: [], ...differences})}, {paint: plain, nameWidth: 4}).slice(16);

test('a line shows the bot, the delivery and the outcome', t => {
	t.is(line(), 'echo  4711-abc              done     inline    12 ms');
	t.regex(line({answer: '{"response_not_required":true}'}), /done {5}silent/);
	t.regex(line({status: 'running', decision: 'none', endedAt: undefined, runs: 2}), /running {2}- {13}-\n {2}2 runs$/);
	t.regex(line({error: '3f2a9c01 TypeError: x\n    at y'}), /failed {3}inline {4}12 ms\n {2}3f2a9c01 TypeError: x$/);
	t.regex(line({outbox: entryOf().outbox}), /failed .*\n {2}not posted: unknown$/);
});

test('below a line stand the texts, if they are asked for', t => {
	const [, ...texts] = lineOf({account, entry: entryOf()}, {paint: plain, nameWidth: 4, withText: true}).split('\n');

	t.deepEqual(texts, ['  > my secret', '  your secret', '  a secret', '  not posted: unknown']);
});

test('lines are as wide as a terminal, even with a long error of a handler', t => {
	setColumns(t, 80);
	const header = headerOf({nameWidth: 4});
	const lines = [header, ...line({error: `3f2a9c01 Error: ${'x'.repeat(200)}`}).split('\n')];

	t.regex(header, /^ARRIVED \S+ +BOT {3}DELIVERY {14}STATUS {3}ANSWER {5}TOOK/);
	t.deepEqual(
		lines.filter(text => text.length > 80),
		[],
	);
});

test('JSON has ISO times, targets as objects and the words of the table', t => {
	const entry = entryOf({answer: '{"response_not_required":true}'});

	t.like(JSON.parse(jsonOf({account, entry}, {withText: false, whole: false})), {
		decision: 'silent',
		arrivedAt: '2026-09-21T14:13:20.000Z',
		outbox: [{target: {dm: [9]}, dueAt: null}],
	});
});

test('the text of people and bots is shown only on request', t => {
	const shown = {account, entry: entryOf()};
	const page = (withText: boolean) => pageOf(shown, {paint: plain, withText, withPayload: true});
	const json = (withText: boolean) => jsonOf(shown, {withText, whole: true});

	for (const text of [page(false), json(false)]) {
		t.notRegex(text, /secret/);
		t.regex(text, /<9 characters>[\s\S]*4711|4711[\s\S]*<9 characters>/);
	}

	for (const text of [page(true), json(true)]) {
		t.regex(text, /my secret/);
		t.regex(text, /your secret/);
		t.regex(text, /a secret/);
	}

	t.notRegex(page(true) + json(true), /KEYKEYKEY|TOKEN1/);
});

test('control characters of a message are escaped, and only a terminal gets colours', t => {
	const entry = entryOf({error: '1 Error: \u{1B}[2J\u{9B}boo', work: undefined});
	const shown = {account, entry};

	const page = pageOf(shown, {paint: plain, withText: true, withPayload: true});
	t.false(page.includes('\u{1B}') || page.includes('\u{9B}'));
	t.is(createPaint({})('red', 'x'), 'x');
	t.regex(page, /Payload +deleted/);
});

const ENVELOPE = {result: 'success', msg: ''};

test('an answer without fields is printed as done', t => {
	t.is(answerTable(ENVELOPE), 'Done.');
});

test('a value is a line, a list a table, and an object has a line for each of its fields', t => {
	const answer = {
		...ENVELOPE,
		id: 7,
		ids: [1, 2],
		topics: [
			{name: 'soup', max_id: 9},
			{name: 'bread', max_id: 12},
		],
		message: {id: 5, display_recipient: 'lunch', flags: ['read'], reactions: {}},
		presences: {},
	};

	t.is(
		answerTable(answer),
		[
			'id: 7',
			'ids: [1,2]',
			'topics:',
			'name   max_id',
			'soup   9',
			'bread  12',
			'message:',
			'  id                 5',
			'  display_recipient  lunch',
			'  flags              ["read"]',
			'  reactions          {}',
			'presences: {}',
		].join('\n'),
	);
});

test('control characters are escaped, in names and in values', t => {
	const table = answerTable({
		'a\u001b[2J': 'b\u001b[2J',
		inner: {'c\u001b[2J': 'd\u001b[2J'},
		rows: [{'e\u001b[2J': 1}],
	});

	t.false(table.includes('\u001b'), JSON.stringify(table));
});

test('a list that is wider than a terminal keeps the most useful columns', t => {
	const message = {
		id: 7,
		avatar_url: `https://${'a'.repeat(40)}`,
		sender_full_name: 'Alice Ahn',
		subject: 'lunch',
		content: 'x'.repeat(60),
		client: 'website'.repeat(5),
	};

	const [, header = '', row = ''] = answerTable({...ENVELOPE, messages: [message]}).split('\n');

	t.is(header, 'id  sender_full_name  subject  content');
	t.true(row.length <= 80);
});
