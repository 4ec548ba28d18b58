// What the test kit remembers of a polled account equals what Redis remembers.

import {randomUUID} from 'node:crypto';
import test from 'ava';
import {createInbox} from '../../src/events/inbox.js';
import {createMemoryInbox} from '../../src/testing/memory-inbox.js';
import {connectToRedis} from '../helpers/shared-redis.js';

type Inbox = ReturnType<typeof createMemoryInbox>;

const steps: readonly ((inbox: Inbox, account: string) => Promise<unknown>)[] = [
	(inbox, account) => inbox.begin(account, 10),
	(inbox, account) => inbox.markHandled(account, 12),
	(inbox, account) => inbox.isHandled(account, 12),
	(inbox, account) => inbox.isHandled(account, 11),
	(inbox, account) => inbox.begin(account, 20),
	(inbox, account) => inbox.since(account, 20),
	(inbox, account) => inbox.since(account, 30),
	(inbox, account) => inbox.beginSeen(account, 'reaction', ['a', 'b']),
	(inbox, account) => inbox.beginSeen(account, 'reaction', ['b', 'c']),
	(inbox, account) => inbox.markSeen(account, 'reaction', 'c'),
	(inbox, account) => inbox.beginSeen(account, 'reaction', ['a', 'c', 'd']),
	(inbox, account) => inbox.isSeen(account, 'reaction', 'd'),
	(inbox, account) => inbox.isSeen(account, 'edit', 'c'),
	(inbox, account) => inbox.beginSeen(account, 'edit', []),
	(inbox, account) => inbox.beginSeen(account, 'edit', ['c']),
	(inbox, account) => inbox.changeMembers(account, {'1': '', '1 7': '+0'}, []),
	(inbox, account) => inbox.changeMembers(account, {'1 8': '+1'}, ['1']),
	(inbox, account) => inbox.members(account),
];

test('the in-memory stores answer each step as Redis does', async t => {
	const account = `https://chat|${randomUUID()}@x`;
	const stored = createInbox(await connectToRedis(t));
	const memory = createMemoryInbox();
	for (const [index, step] of steps.entries()) {
		t.deepEqual(await step(memory, account), await step(stored, account), `step ${index}`);
	}
});

test('a trigger that a bot no longer declares is forgotten, and starts again later', async t => {
	const account = `https://chat|${randomUUID()}@x`;
	const inbox = createInbox(await connectToRedis(t));
	await inbox.since(account, 5);
	await inbox.beginSeen(account, 'reaction', ['a']);

	await inbox.forgetAllBut(account, ['reaction']);

	t.is(await inbox.since(account, 9), 9);
	t.deepEqual(await inbox.beginSeen(account, 'reaction', ['a', 'b']), ['b']);
	await inbox.want(account, ['edit', 'join']);
	t.deepEqual(await inbox.wanted(account), ['edit', 'join']);
});
