import test from 'ava';
import {answerTable} from '../../src/cli/answer-table.js';

const ENVELOPE = {result: 'success', msg: ''};

test('an answer without fields says that it is done', t => {
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

test('what would steer a terminal is shown, in names and in values', t => {
	const table = answerTable({
		'a\u001b[2J': 'b\u001b[2J',
		inner: {'c\u001b[2J': 'd\u001b[2J'},
		rows: [{'e\u001b[2J': 1}],
	});

	t.false(table.includes('\u001b'), JSON.stringify(table));
});

test('a list that is wider than a terminal keeps what people look for', t => {
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
