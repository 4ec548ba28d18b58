import test from 'ava';
import {testBot} from 'bothy/testing';
import chatter from '../../bots/chatter.js';

test('chatter streams the answer of the model, and remembers each topic separately', async t => {
	const histories: string[][] = [];
	const {alice} = await testBot(chatter, {
		name: 'Chatter',
		config: {url: 'https://model.example'},
		fetch(_, init) {
			const {messages} = JSON.parse(String(init.body)) as {messages: {content: string}[]};
			histories.push(messages.map(({content}) => content));
			const words = ['Hel', 'lo!'].map(content => `data: ${JSON.stringify({choices: [{delta: {content}}]})}\n\n`);
			return new Response(`${words.join('')}data: [DONE]\n`);
		},
	});

	t.deepEqual(await alice.says('#general > tea', '@**Chatter** green or black?'), ['Hello!']);
	t.deepEqual(await alice.says('#general > tea', '@**Chatter** and milk?'), ['Hello!']);
	t.deepEqual(await alice.says('#general > lunch', '@**Chatter** soup?'), ['Hello!']);
	t.deepEqual(histories, [['green or black?'], ['green or black?', 'Hello!', 'and milk?'], ['soup?']]);
	t.deepEqual(await alice.says('#general > tea', '@**Chatter** forget'), ['Forgotten.']);
	await alice.says('#general > tea', '@**Chatter** again?');
	t.deepEqual(histories.at(-1), ['again?']);
});

test('chatter without a model repeats the message', async t => {
	const {alice} = await testBot(chatter);

	t.deepEqual(await alice.dm('hello'), ['You said: hello']);
});
