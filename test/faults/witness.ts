// A service of a few lines, which shares nothing with the realm and keeps up with a hundred messages a second: it posts
// webhooks as the service does, takes what bots post, and remembers every text that people would read.

import {once} from 'node:events';
import {createServer, Agent as HttpAgent, type IncomingMessage, request} from 'node:http';
import type {AddressInfo} from 'node:net';
import {payload} from '../helpers/payload.js';
import {type Planned, titleOf} from './plan.js';
import type {Account, Service} from './service.js';

const TIMEOUT_MS = 10_000;
const TRIES = 4;
const CHANNEL = {
	stream_id: 1,
	name: 'lunch',
	description: '',
	rendered_description: '',
	date_created: 0,
	invite_only: false,
	is_web_public: false,
	message_retention_days: null,
	history_public_to_subscribers: true,
	first_message_id: null,
};
const PEOPLE = ['alice', 'bob', 'carla', 'mona', 'adam', 'olivia'];

interface Posted {
	readonly id: number;
	readonly email: string;
	readonly content: string;
}

interface Queue {
	readonly email: string;
	readonly events: object[];
}

export async function startWitness(): Promise<Service> {
	const agent = new HttpAgent({keepAlive: false});
	const said: Posted[] = [];
	const queues = new Map<string, Queue>();
	let latest = 0;
	let waiting = 0;

	function say(email: string, content: string): number {
		latest += 1;
		said.push({id: latest, email, content});
		return latest;
	}

	/** By method and path; what a bot account may call here. */
	const operations: Record<string, (email: string, parameters: URLSearchParams) => object> = {
		'GET /server_settings': () => ({zulip_feature_level: 496}),
		'POST /register': email => {
			const id = `queue ${queues.size}`;
			queues.set(id, {email, events: []});
			return {queue_id: id, last_event_id: -1, max_message_id: latest};
		},
		'GET /events': (_, parameters) => {
			const {events = []} = queues.get(parameters.get('queue_id') ?? '') ?? {};
			return {events: events.slice(Number(parameters.get('last_event_id')) + 1)};
		},
		'POST /messages': (email, parameters) => {
			const id = say(email, parameters.get('content') ?? '');
			const queue = queues.get(parameters.get('queue_id') ?? '');
			const local = parameters.get('local_id');
			queue?.events.push({type: 'message', id: queue.events.length, message: {id}, local_message_id: local});
			return {id};
		},
		'GET /messages': (email, parameters) => {
			const own = said.filter(message => message.email === email && message.id > Number(parameters.get('anchor')));
			return {messages: own.slice(0, Number(parameters.get('num_after'))).map(messageOf)};
		},
		'GET /streams': () => ({streams: [CHANNEL, {...CHANNEL, stream_id: 3, name: 'general'}]}),
		'GET /users/me': email => ({...ME, email, max_message_id: latest}),
		'POST /typing': () => ({}),
	};

	const server = createServer(async (incoming, answer) => {
		const url = new URL(incoming.url ?? '', 'http://witness');
		const [email = ''] = atob(incoming.headers.authorization?.split(' ')[1] ?? '').split(':');
		const body = await textOf(incoming);
		const operation = operations[`${incoming.method} ${url.pathname.replace('/api/v1', '')}`];
		const parameters = incoming.method === 'GET' ? url.searchParams : new URLSearchParams(body);
		const [status, found] = operation
			? [200, {result: 'success', msg: '', ...operation(email, parameters)}]
			: [404, {result: 'error', msg: 'Not here', code: 'BAD_REQUEST'}];
		answer.writeHead(status, {'content-type': 'application/json'}).end(JSON.stringify(found));
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

	/** Posts a webhook until it is answered, as often as the service does. */
	async function deliver(account: Account, body: string): Promise<void> {
		for (let attempt = 1; attempt <= TRIES; attempt++) {
			const answer = await post(account.payloadUrl, body, agent);
			if (answer) {
				const {content} = answer.status === 200 ? JSON.parse(answer.body) : {content: `Failure! ${answer.status}`};
				if (content) {
					say(account.email, content);
				}

				return;
			}
		}

		say(account.email, 'Failure! Bot is unavailable');
	}

	return {
		account(name, payloadUrl) {
			const email = `${name}-bot@witness.example`;
			const secret = `secret-of-${name}`.padEnd(32, 'x');
			return {name, email, key: secret, site, token: secret, payloadUrl};
		},
		async write({from, bot, topic, words}: Planned, accounts) {
			const account = accounts.find(({name}) => name === bot);
			const id = ++latest;
			const sender = PEOPLE.indexOf(from) + 10;
			const text = topic === undefined ? words : `@**${titleOf(bot)}** ${words}`;
			const bob = {id: sender, email: `${from}@witness.example`, full_name: from, is_mirror_dummy: false};
			const place =
				topic === undefined
					? {type: 'private', display_recipient: [bob], stream_id: undefined, subject: ''}
					: {subject: topic};
			const posted = payload({
				text,
				messageId: id,
				botEmail: account?.email ?? '',
				botName: titleOf(bot),
				token: account?.token ?? '',
				trigger: topic === undefined ? 'direct_message' : 'mention',
				message: {sender_id: sender, sender_email: bob.email, timestamp: Math.floor(Date.now() / 1000), ...place},
			});
			if (account) {
				waiting += 1;
				void deliver(account, JSON.stringify(posted)).finally(() => {
					waiting -= 1;
				});
			}
		},
		said: () => said.map(({content}) => content),
		waiting: () => waiting,
		async close() {
			agent.destroy();
			server.closeAllConnections();
			server.close();
		},
	};
}

/** Undefined where no whole answer came in time. */
function post(url: string, body: string, agent: HttpAgent): Promise<{status: number; body: string} | undefined> {
	return new Promise(resolve => {
		const headers = {'content-type': 'application/json', 'content-length': Buffer.byteLength(body)};
		const outgoing = request(url, {method: 'POST', headers, agent}, (response: IncomingMessage) => {
			textOf(response).then(
				text => resolve({status: response.statusCode ?? 0, body: text}),
				() => resolve(undefined),
			);
		});
		outgoing.setTimeout(TIMEOUT_MS, () => outgoing.destroy());
		outgoing.on('error', () => resolve(undefined));
		outgoing.end(body);
	});
}

async function textOf(incoming: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of incoming) {
		chunks.push(chunk);
	}

	return Buffer.concat(chunks).toString();
}

const ME = {
	user_id: 1,
	full_name: 'Bot',
	avatar_url: null,
	date_joined: '2026-01-01T00:00:00Z',
	timezone: '',
	role: 400,
	is_active: true,
	is_admin: false,
	is_owner: false,
	is_guest: false,
	is_bot: true,
	bot_type: 3,
};

function messageOf({id, email, content}: Posted) {
	return {...payload({messageId: id, text: content}).message, sender_email: email};
}
