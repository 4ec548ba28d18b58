// A client that we did not write works against the realm.

import test, {type ExecutionContext} from 'ava';
// @ts-expect-error: it is published without types
import zulip from 'zulip-js';
import {openRealm, signIn} from './realm-kit.js';

async function openClient(t: ExecutionContext, name: string) {
	const realm = await openRealm(t);
	const {email, key} = await signIn(realm, name);
	return zulip({username: email, apiKey: key, realm: realm.url});
}

test('zulip-js sends a message and finds it again', async t => {
	const client = await openClient(t, 'alice');

	const sent = await client.messages.send({to: 'general', type: 'stream', subject: 'tests', content: 'Hi *there*'});
	const {messages} = await client.messages.retrieve({anchor: sent.id, num_before: 0, num_after: 0});

	t.is(messages.length, 1);
	t.is(messages[0].content, '<p>Hi <em>there</em></p>');
});
