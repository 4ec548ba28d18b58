import test from 'ava';
import {testBot} from 'bothy/testing';
import echo from '../../bots/echo.js';

test('echo repeats a message without its own mention', async t => {
	const {alice} = await testBot(echo, {name: 'Echo'});

	t.deepEqual(await alice.says('#general > lunch', '@**Echo** hello @**Bob Birk**'), ['hello @\u200b**Bob Birk**']);
	t.deepEqual(await alice.dm('hello'), ['hello']);
});

test('echo asks for a text if there is none to repeat', async t => {
	const {alice} = await testBot(echo, {name: 'Echo'});

	t.deepEqual(await alice.says('#general > lunch', '@**Echo**'), ['Yes?']);
});
