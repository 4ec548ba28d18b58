// What the terminal says where an id or an address may mean more than one account, and how many sends change at once.

import {randomUUID} from 'node:crypto';
import test, {type ExecutionContext} from 'ava';
import {createOutboxStore} from '../../src/outbox/store.js';
import {accountTag} from '../../src/redis/account-key.js';
import {connect, startRedis} from '../helpers/redis.js';
import {runHere} from '../helpers/terminal.js';

const echo = {
	email: 'echo@bothy.example',
	site: 'https://one.example',
	key: 'k',
	token: 'tttttttttttttttttttttttttttttttt',
};
const dice = {...echo, email: 'dice@bothy.example'};
/** The address of `echo`, at another site. */
const far = {...echo, site: 'https://two.example'};

async function startHouse(t: ExecutionContext) {
	const REDIS_URL = await startRedis(t);
	const outboxes = createOutboxStore(await connect(t, REDIS_URL));
	const env = {REDIS_URL, BOTHY_CONFIG_JSON: JSON.stringify({echo, dice, far})};
	return {
		run: (...args: string[]) => runHere(args, {env}),
		/** A send of a message that mentioned both bots, which the worker could not settle. */
		async park(account: {site: string; email: string}, id: string) {
			const ref = {account: accountTag(account), id};
			const entry = {n: 1, kind: 'send', target: '{"dm":[9]}', text: 'x', dueAt: 0, mayBePosted: false} as const;
			const nonce = randomUUID();
			await outboxes.put(ref, entry);
			await outboxes.open(ref, nonce, 'sending 1');
			await outboxes.end(ref, nonce, {n: 1, state: 'unknown', attempt: 'sending 1'});
			await outboxes.close(ref, nonce, 1_000);
		},
		stateOf: async (account: {site: string; email: string}, id: string) =>
			(await outboxes.read({account: accountTag(account), id})).map(({state}) => state),
	};
}

test('if two bots failed at one message, a decision needs the name of the bot', async t => {
	const {run, park, stateOf} = await startHouse(t);
	await park(echo, '42-abc');
	await park(dice, '42-abc');

	const unclear = await run('sends', 'resolve', '42-abc/1', '--sent');
	t.is(unclear.code, 1);
	t.regex(unclear.output, /echo and dice both have a send 42-abc\/1: choose one with --bot/);
	t.deepEqual([await stateOf(echo, '42-abc'), await stateOf(dice, '42-abc')], [['unknown'], ['unknown']]);

	const said = await run('sends', 'resolve', '42-abc/1', '--sent', '--bot', 'echo', '--json');
	t.deepEqual(JSON.parse(said.output), {id: '42-abc/1', status: 'sent'});
	t.deepEqual([await stateOf(echo, '42-abc'), await stateOf(dice, '42-abc')], [['sent 0'], ['unknown']]);

	t.is((await run('sends', 'resolve', '42-abc/1', '--sent')).output, '42-abc/1 counts as sent.\n');
	t.deepEqual(await stateOf(dice, '42-abc'), ['sent 0'], 'only one send still needed a decision');
});

test('an email that two sites have names no account to send from', async t => {
	const {run} = await startHouse(t);

	const {code, output} = await run('send', 'echo@bothy.example', '9', 'Hello');

	t.is(code, 1);
	t.regex(output, /"echo@bothy.example" may be echo \(.* on https:\/\/one\.example\) and far \(.* on https:\/\/two/);
	t.is((await run('sends')).output, 'Nothing waits, and nothing failed.\n');
});

test('an unknown account is an error that names the known ones and the option', async t => {
	const {run} = await startHouse(t);

	t.is(
		(await run('send', 'nobody', '9', 'Hello')).output,
		'bothy: send <account>: expected one of echo, dice, far, or an account\'s email, found "nobody"\n',
	);
	t.regex((await run('sends', '--bot', 'nobody')).output, /^bothy: --bot: expected one of echo, dice, far/);
});

for (const command of [
	['schedules', 'cancel'],
	['sends', 'resolve'],
]) {
	test(`the help of ${command.join(' ')} names the options that it takes from its parent`, async t => {
		const {output} = await runHere([...command, '--help']);

		t.regex(output, /--bot <account>/);
		t.regex(output, /--json/);
	});
}
