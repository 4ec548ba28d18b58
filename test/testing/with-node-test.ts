// Run by test-bot.test.ts, with Node's own runner.

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {testBot} from 'bothy/testing';
import echo from '../../bots/echo.js';
import remind from '../../bots/remind.js';

test('echo says it again', async () => {
	const t = await testBot(echo, {name: 'Echo'});

	assert.deepEqual(await t.alice.says('#general > lunch', '@**Echo** hello'), ['hello']);
});

test('a reminder comes when its time has come', async () => {
	const t = await testBot(remind);
	await t.alice.dm('me in 10 minutes tea');
	const [reminder] = await t.wait('10 minutes');

	assert.match(reminder?.text ?? '', /tea/);
});
