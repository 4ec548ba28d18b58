import test from 'ava';
import {createTokenFinder, createTokenVerifier} from '../../src/receiver/verify.js';

const accounts = [{email: 'echo@x', tokens: ['tokentokentoken', 'another']}];

test('only the whole token verifies a payload', t => {
	const verifyToken = createTokenVerifier(accounts);

	t.is(verifyToken('echo@x', 'tokentokentoken'), accounts[0]);
	t.is(verifyToken('ECHO@x', 'another'), accounts[0]);
	for (const wrong of ['', 'tokentokentoke', 'tokentokentokenx', 'TOKENTOKENTOKEN', 'tokentokentoken\0', 'anothe']) {
		t.is(verifyToken('echo@x', wrong), undefined, JSON.stringify(wrong));
	}
});

test('an email that names a property of every object is unknown', t => {
	t.is(createTokenVerifier(accounts)('__proto__', 'x'), undefined);
	t.is(createTokenVerifier(accounts)('constructor', 'x'), undefined);
});

test('the search for a token reads a text like a parser', t => {
	const holdsToken = createTokenFinder(accounts);

	for (const text of [
		'{"token": "another"}',
		'{"token":"x","token" : "tokentokentoken"}',
		'{"token": "\\u0061nother"}',
	]) {
		t.true(holdsToken(Buffer.from(text)), text);
	}

	for (const text of [
		'{"token": "anothe"}',
		'{"data": "another"}',
		'{"data": "\\"token\\": \\"another\\""}',
		'{"token": "',
	]) {
		t.false(holdsToken(Buffer.from(text)), text);
	}

	t.false(holdsToken(Buffer.from(`{${'"token": "x", '.repeat(100)}"token": "another"}`)));
});
