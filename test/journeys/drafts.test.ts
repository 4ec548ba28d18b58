// Two clients of one person edit their drafts while a bot writes there too: receiver, workers, Redis and realm are real.

import {once} from 'node:events';
import {createServer, request} from 'node:http';
import type {AddressInfo} from 'node:net';
import test, {type ExecutionContext} from 'ava';
import {Queue} from 'bullmq';
import type {Client} from '../../src/client/client.js';
import {arg, bot, z} from '../../src/index.js';
import {signIn} from '../helpers/bothy.js';
import {openHouse} from '../helpers/house.js';
import {connect} from '../helpers/redis.js';
import {until} from '../helpers/until.js';

const KEYS = Array.from({length: 12}, (_, n) => `key${n}`);

const scribe = bot({about: 'Writes drafts for Alice', perMinute: 0})
	.command('put', {about: 'x', args: z.object({key: z.string(), text: arg.rest()})}, async (ctx, {key, text}) => {
		await ctx.drafts('alice').put(key, {channel: 'general', topic: key}, text);
		await ctx.reply(`put ${text}`);
	})
	.command('list', {about: 'x'}, async ctx => ctx.reply(JSON.stringify(await ctx.drafts('alice').list())))
	.command('lost', {about: 'x'}, async ctx => {
		await ctx.drafts('nobody').list();
	})
	.catch((error, ctx) => ctx.reply(error.message));

/** A way to the realm on which something happens while an edit is under way. */
async function slowWay(t: ExecutionContext, realmUrl: string) {
	const way = {url: '', meanwhile: async (_draftId: number) => {}};
	const server = createServer(async (incoming, answer) => {
		const {method, url = '', headers} = incoming;
		const outgoing = request(realmUrl + url, {method: method ?? '', headers}, response => {
			answer.writeHead(response.statusCode ?? 502, response.headers);
			response.pipe(answer);
		});
		if (method === 'PATCH') {
			await way.meanwhile(Number(url.split('/').at(-1)));
		}

		incoming.pipe(outgoing);
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	t.teardown(() => {
		server.closeAllConnections();
		server.close();
	});
	way.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return way;
}

async function start(t: ExecutionContext) {
	let way = {url: '', meanwhile: async (_draftId: number) => {}};
	const house = await openHouse(t, {
		bots: {scribe},
		async sections({url}) {
			way = await slowWay(t, url);
			const {key} = await signIn(t, url, 'alice@bothy.example');
			return {alice: {email: 'alice@bothy.example', key, site: way.url}};
		},
	});
	const {ask} = await house.signIn('bob');
	const listed = async (...options: string[]): Promise<Record<string, string>[]> => {
		const {output} = await house.run('drafts', '--json', ...options);
		return output
			.trim()
			.split('\n')
			.map(line => JSON.parse(line));
	};
	const connection = await connect(t, house.env.REDIS_URL ?? '');
	const jobs = new Queue('drafts', {connection, prefix: '{bothy}'});
	t.teardown(() => jobs.close());
	return {
		...house,
		way,
		listed,
		ask: (text: string) => ask('scribe', text),
		/** Resolves when the service has what the bot wants, and what people typed meanwhile has been put back. */
		async synced(): Promise<void> {
			await until(
				async () => (await listed()).every(({status}) => status !== 'waiting') && (await jobs.getActiveCount()) === 0,
			);
		},
	};
}

/** What became of the drafts, as the service told it. */
async function follow(client: Client) {
	const queue = await client.register({event_types: ['drafts'], queue_lifespan_secs: 3600});
	return async () => {
		const {events} = await client.getEvents({queue_id: queue.queue_id, last_event_id: -1, dont_block: true});
		// The shapes of draft events.
		return events as unknown as {
			op: 'add' | 'update' | 'remove';
			drafts: {id: number; content: string}[];
			draft: {id: number; content: string};
			draft_id: number;
		}[];
	};
}

async function typeInto(client: Client, id: number, content: string): Promise<void> {
	await client.editDraft({draft_id: id, draft: {type: '', to: [], topic: '', content}});
}

test('a text that a person types survives, even if others write at the same time', async t => {
	const {signIn, way, ask, listed, synced, log} = await start(t);
	const [phone, desk] = [await signIn('alice'), await signIn('alice')];
	const history = await follow(phone);
	for (const key of KEYS) {
		t.is(await ask(`put ${key} bot one`), 'put bot one');
	}

	await synced();
	const {drafts} = await phone.getDrafts();
	t.is(drafts.length, KEYS.length);
	let edits = 0;
	way.meanwhile = async id => {
		if (edits++ % 3 === 0) {
			await typeInto(desk, id, `typed meanwhile ${edits}`);
		}
	};
	for (const [n, key] of KEYS.entries()) {
		t.is(await ask(`put ${key} bot two`), 'put bot two');
		const draft = drafts[(n * 7) % 4];
		if (draft) {
			await typeInto(phone, draft.id, `typed ${n}`);
		}
	}

	await ask('put last bot last');
	await synced();

	const contents = new Map<number, string>();
	const overwritten: string[] = [];
	const added: string[] = [];
	const put = (id: number, content: string | undefined) => {
		const before = contents.get(id);
		if (before?.startsWith('typed') && !content?.startsWith('typed')) {
			overwritten.push(before);
		}

		contents.set(id, content ?? '');
	};
	for (const event of await history()) {
		if (event.op === 'add') {
			for (const {id, content} of event.drafts) {
				added.push(content);
				contents.set(id, content);
			}
		} else {
			put(event.op === 'update' ? event.draft.id : event.draft_id, event.draft?.content);
		}
	}

	t.true(overwritten.length > 0);
	t.deepEqual(
		overwritten.filter(text => !added.includes(text)),
		[],
	);
	t.true(added.some(text => text.startsWith('bot')));
	t.deepEqual(
		(await phone.getDrafts()).drafts.map(({content}) => content).toSorted(),
		[...contents.values()].filter(content => content !== '').toSorted(),
	);

	const shown = await listed('--text');
	t.is(shown.length, KEYS.length + 1);
	for (const {status, text, theirs} of shown) {
		t.true(['synced', 'edited', 'conflict'].includes(status ?? ''), status);
		t.true([...contents.values()].includes((status === 'synced' ? text : theirs) ?? ''), `${status} ${text}`);
	}

	t.false(JSON.stringify(await listed()).includes('typed'), 'texts are shown only when asked for');
	t.false(/typed|bot (one|two|last)/.test(log()), 'the log contains no text of a message');
});

test('a bot sees its drafts with their states, and gets an error for an unknown account', async t => {
	const {signIn, ask, synced, run} = await start(t);
	const alice = await signIn('alice');

	await ask('put tea one');
	await synced();

	const [draft] = (await alice.getDrafts()).drafts;
	t.like(draft ?? {}, {type: 'stream', topic: 'tea', content: 'one'});
	t.deepEqual(JSON.parse(await ask('list')), [
		{key: 'tea', target: {channel: 'general', topic: 'tea'}, text: 'one', status: 'synced'},
	]);
	const {output} = await run('drafts', '--account', 'alice', '--text');
	t.is(
		output,
		'alice  synced  tea  by scribe-bot@bothy.example  {"channel":"general","topic":"tea"}\n    bot     one\n',
	);
	t.is((await run('drafts', '--account', 'scribe')).output, 'No drafts for scribe.\n');
	t.is(
		await ask('lost'),
		'Expected ctx.drafts() with an account of the config file (scribe, alice) or its email, got "nobody"',
	);
});
