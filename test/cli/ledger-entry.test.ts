import test from 'ava';
import {headerOf, jsonOf, lineOf, pageOf} from '../../src/cli/ledger-entry.js';
import {createPaint, type Paint} from '../../src/cli/paint.js';
import type {LedgerEntry} from '../../src/delivery/store.js';
import {workText} from '../../src/delivery/work.js';
import {payload} from '../helpers/payload.js';

const account = {name: 'echo', email: 'e@x', key: 'KEYKEYKEY', site: 'https://chat', tokens: ['TOKEN1'], bot: 'echo'};

const entryOf = (differences: Partial<LedgerEntry> = {}): LedgerEntry => ({
	ref: {account: 'https://chat|e@x', id: '4711-abc'},
	status: 'done',
	decision: 'inline',
	runs: 1,
	stops: 0,
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

test('a line says which bot, which delivery, and how it went', t => {
	t.is(line(), 'echo  4711-abc              done     inline    12 ms');
	t.regex(line({answer: '{"response_not_required":true}'}), /done {5}silent/);
	t.regex(line({status: 'running', decision: 'none', endedAt: undefined, runs: 2}), /running {2}- {13}-\n {2}2 runs$/);
	t.regex(line({error: '3f2a9c01 TypeError: x\n    at y'}), /failed {3}inline {4}12 ms\n {2}3f2a9c01 TypeError: x$/);
	t.regex(line({outbox: entryOf().outbox}), /failed .*\n {2}not posted: unknown$/);
});

test('lines are as wide as a terminal, whatever a handler threw', t => {
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

test('what people and bots wrote is shown only where it is asked for', t => {
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

test('a terminal takes no orders from a message, and colours only where it is one', t => {
	const entry = entryOf({error: '1 Error: \u{1B}[2J\u{9B}boo', work: undefined});
	const shown = {account, entry};

	const page = pageOf(shown, {paint: plain, withText: true, withPayload: true});
	t.false(page.includes('\u{1B}') || page.includes('\u{9B}'));
	t.is(createPaint({})('red', 'x'), 'x');
	t.regex(page, /Payload +deleted/);
});
