// What a caller may write and what does not compile. Nothing here runs.

import type {Client} from '../../src/client/client.js';

export async function calls(client: Client) {
	const {id} = await client.sendMessage({type: 'channel', to: 'general', topic: 'x', content: 'x'});
	const number: number = id;
	// @ts-expect-error: `content` is required
	await client.sendMessage({type: 'channel', to: 'general'});
	// @ts-expect-error: `email` is no kind of conversation
	await client.sendMessage({type: 'email', to: 'general', content: 'x'});
	// @ts-expect-error: `text` is no parameter
	await client.sendMessage({type: 'direct', to: [1], content: 'x', text: 'x'});
	// @ts-expect-error: IDs or addresses, not both
	await client.sendMessage({type: 'direct', to: [1, 'a@b'], content: 'x'});
	// @ts-expect-error: an ID is a number
	await client.getMessage({message_id: '1'});
	// @ts-expect-error: `message_id` is required
	await client.getMessage();
	await client.getMessages({anchor: 'newest', narrow: [['is', 'dm'], {operator: 'dm', operand: [5]}]});
	// @ts-expect-error: servers refuse a pair that holds anything but two strings
	await client.getMessages({anchor: 'newest', narrow: [['dm', [5]]]});
	// @ts-expect-error: a number is no string either
	await client.getMessages({anchor: 'newest', narrow: [['channel', 5]]});
	// @ts-expect-error: a status is `active` or `idle`
	await client.updatePresence({status: 'away'});
	// @ts-expect-error: there is no such operation
	await client.fetchMessage({message_id: 1});
	// @ts-expect-error: the answer has no such field that is known to be a text
	const text: string = (await client.getStreamId({stream: 'x'})).name;
	// @ts-expect-error: a deadline is a number of milliseconds
	await client.getUsers({}, {timeoutMs: '1 s'});
	// @ts-expect-error: a call that the table does not have needs a method that the service has
	await client.call({method: 'TRACE', path: '/x'});
	return [number, text];
}
