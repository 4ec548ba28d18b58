import test from 'ava';
import {createProof} from '../../src/receiver/prove.js';

const accounts = [{email: 'echo@x', tokens: ['tokentokentoken', 'another']}];

test('only the whole token proves', t => {
	const prove = createProof(accounts);

	t.is(prove('echo@x', 'tokentokentoken'), accounts[0]);
	t.is(prove('ECHO@x', 'another'), accounts[0]);
	for (const wrong of ['', 'tokentokentoke', 'tokentokentokenx', 'TOKENTOKENTOKEN', 'tokentokentoken\0', 'anothe']) {
		t.is(prove('echo@x', wrong), undefined, JSON.stringify(wrong));
	}
});

test('an email that names a property of every object is unknown', t => {
	t.is(createProof(accounts)('__proto__', 'x'), undefined);
	t.is(createProof(accounts)('constructor', 'x'), undefined);
});
