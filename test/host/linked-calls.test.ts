// How the realm knows which message caused a call of a bot.

import test from 'ava';
import {bot} from '../../src/index.js';
import {openHouse} from '../helpers/house.js';

test("of two messages that call a bot at the same time, the realm knows which one caused a handler's calls", async t => {
	let goOn = () => {};
	const second = new Promise<void>(resolve => {
		goOn = resolve;
	});
	const asker = bot({about: 'Asks'}).on('direct_message', async ctx => {
		if (ctx.text === 'second') {
			goOn();
			return;
		}

		await second;
		await ctx.api.getOwnUser();
		await ctx.api.call({method: 'GET', path: '/users/me'});
		await ctx.reply('asked');
	});
	const {signIn, realm} = await openHouse(t, {bots: {asker}});
	const alice = await signIn('alice');

	const first = await alice.dm('asker', 'first');
	await alice.dm('asker', 'second');
	t.is(await alice.next('asker'), 'asked');

	const answer = await fetch(`${realm.url}/dev/exchanges?message_id=${first}`);
	const {exchanges} = (await answer.json()) as {exchanges: {operation: string | null; linked_by: string}[]};
	t.deepEqual(
		exchanges.map(one => [one.operation, one.linked_by]),
		[
			[null, 'webhook'],
			['getOwnUser', 'delivery'],
			['getOwnUser', 'delivery'],
		],
	);
});
