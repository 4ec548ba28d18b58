// The service of the client benchmark in a process of its own: it answers each path with the same bytes.

import {once} from 'node:events';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';

const message = (id: number) => ({
	id,
	type: 'stream',
	sender_id: 9,
	sender_email: 'user9@chat.example.com',
	sender_full_name: 'Alice Ahn',
	sender_realm_str: '',
	avatar_url: 'https://chat.example.com/avatar/9',
	client: 'website',
	content: `<p>${'lorem ipsum '.repeat(20)}</p>`,
	content_type: 'text/html',
	display_recipient: 'general',
	recipient_id: 12,
	stream_id: 3,
	subject: 'lunch',
	topic_links: [],
	timestamp: 1_790_000_000,
	is_me_message: false,
	reactions: [{emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji', user_id: 4}],
	submessages: [],
	flags: ['read'],
});

const envelope = {result: 'success', msg: ''};
const answers: Readonly<Record<string, string>> = {
	POST: JSON.stringify({...envelope, id: 42}),
	GET: JSON.stringify({...envelope, messages: Array.from({length: 20}, (_, n) => message(n + 1)), found_newest: true}),
};

const server = createServer((request, response) => {
	const answer = answers[request.method ?? ''] ?? '';
	request.resume().once('end', () => {
		response.writeHead(200, {'content-type': 'application/json', 'content-length': Buffer.byteLength(answer)});
		response.end(answer);
	});
});
server.keepAliveTimeout = 65_000;
await once(server.listen(0, '127.0.0.1'), 'listening');
process.once('disconnect', () => process.exit(0));
process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
