import test from 'ava';
import {testBot} from 'bothy/testing';
import linker from '../../bots/linker.js';

test('linker shows the issue that a number means', async t => {
	const asked: string[] = [];
	const {alice} = await testBot(linker, {
		config: {token: 'secret'},
		fetch(url, init) {
			asked.push(`${url} ${new Headers(init.headers).get('authorization')}`);
			return url.endsWith('/7')
				? Response.json({title: 'Say @**all** hello', state: 'open', html_url: 'https://github.com/a/b/issues/7'})
				: new Response('', {status: 404});
		},
	});

	t.deepEqual(await alice.dm('see a/b#7'), [
		'[a/b#7](https://github.com/a/b/issues/7) Say @\u200b**all** hello (open)',
	]);
	t.deepEqual(await alice.dm('#8'), ['I cannot find nodejs/node#8.']);
	t.deepEqual(asked, [
		'https://api.github.com/repos/a/b/issues/7 Bearer secret',
		'https://api.github.com/repos/nodejs/node/issues/8 Bearer secret',
	]);
});
