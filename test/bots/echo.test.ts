import test from 'ava';
import echo from '../../bots/echo.js';
import {talk} from '../helpers/talk.js';

test('echo says again what it is told, without its own mention', async t => {
	const {say} = talk(echo);

	t.deepEqual(await say({text: '@**Echo** hello @**Bob**'}), ['hello @**Bob**']);
	t.deepEqual(await say({text: 'hello', trigger: 'direct_message'}), ['hello']);
});

test('echo asks back when there is nothing to say again', async t => {
	t.deepEqual(await talk(echo).say({text: '@**Echo**'}), ['Yes?']);
});
