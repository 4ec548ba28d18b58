// Two clients of one person edit their drafts while a bot writes there too: receivers, workers, Redis and realm are real.

import {once} from 'node:events';
import {writeFile} from 'node:fs/promises';
import {createServer, request} from 'node:http';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import test, {type ExecutionContext} from 'ava';
import type {Client} from '../../src/client/client.js';
import {createClient} from '../../src/client/client.js';
import {startRealm} from '../../src/realm/index.js';
import {dataFolder, runBothy, signIn, startCommand} from '../helpers/bothy.js';
import {startRedis} from '../helpers/redis.js';

const FACE = fileURLToPath(new URL('../../src/index.js', import.meta.url));

const SCRIBE = `
	import {arg, bot, z} from ${JSON.stringify(FACE)};
	export default bot({about: 'Writes drafts for Alice', perMinute: 0})
		.command('put', {about: 'x', args: z.object({key: z.string(), text: arg.rest()})}, async (ctx, {key, text}) => {
			await ctx.drafts('alice').put(key, {channel: 'general', topic: key}, text);
			await ctx.reply('put ' + text);
		})
		.command('list', {about: 'x'}, async ctx => ctx.reply(JSON.stringify(await ctx.drafts('alice').list())))
		.command('lost', {about: 'x'}, ctx => ctx.drafts('nobody').list())
		.catch((error, ctx) => ctx.reply(error.message));
`;

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
	t.timeout(120_000);
	const realm = await startRealm({file: ':memory:', port: 0, rateLimit: false});
	t.teardown(() => realm.close());
	const folder = await dataFolder(t);
	await writeFile(join(folder, 'scribe.mjs'), SCRIBE);
	const redis = await startRedis(t);

	const nobody = createClient({site: realm.url, email: 'x', key: '', userAgent: 'test/1'});
	const {api_key: key} = await nobody.devFetchApiKey({username: 'alice@bothy.example'});
	await nobody.close();
	const scribe = realm.ensureBot({name: 'scribe', fullName: 'Scribe', payloadUrl: 'http://127.0.0.1:9/'});
	const way = await slowWay(t, realm.url);
	const env = {
		PORT: '0',
		REDIS_URL: redis,
		BOTHY_DATA: folder,
		BOTHY_BOTS: folder,
		LOG_LEVEL: 'warn',
		BOTHY_CONFIG_JSON: JSON.stringify({
			scribe: {email: scribe.email, key: scribe.key, site: realm.url, token: scribe.token},
			alice: {email: 'alice@bothy.example', key, site: way.url},
		}),
	};
	const worker = await startCommand(t, 'worker', {env, ready: /Worker\s+(.+)/});
	const web = await startCommand(t, 'web', {env, ready: /Receiver\s+(http:\S+)/});
	realm.ensureBot({name: 'scribe', fullName: 'Scribe', payloadUrl: web.found});
	const bob = await signIn(t, realm.url, 'bob@bothy.example');
	const heard = await bob.listen();

	return {
		realm,
		way,
		output: () => worker.output() + web.output(),
		run: (...args: string[]) => runBothy(args, env),
		/** Writes to the bot, and waits for its answer. */
		async ask(text: string): Promise<string> {
			await bob.sendMessage({type: 'channel', to: 'general', topic: 'drafts', content: `@**Scribe** ${text}`});
			return (await heard.next(({sender_email}) => sender_email === scribe.email)).content;
		},
		async listed(...options: string[]): Promise<Record<string, string>[]> {
			const {output} = await runBothy(['drafts', '--json', ...options], env);
			return output
				.trim()
				.split('\n')
				.map(line => JSON.parse(line));
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

/** Types into one draft after the other until told to stop; answers how often. */
async function typeAway(client: Client, name: string, isOver: () => boolean): Promise<number> {
	let count = 0;
	while (!isOver()) {
		const {drafts} = await client.getDrafts();
		const draft = drafts[(count * 7) % Math.max(1, drafts.length)];
		if (draft) {
			await typeInto(client, draft.id, `typed ${name} ${count++}`);
		}

		await sleep(300);
	}

	return count;
}

test.serial('what a person types survives, whoever else writes', async t => {
	const {realm, way, ask, listed, output} = await start(t);
	const [phone, desk] = [
		await signIn(t, realm.url, 'alice@bothy.example'),
		await signIn(t, realm.url, 'alice@bothy.example'),
	];
	const history = await follow(phone);

	let edits = 0;
	way.meanwhile = async id => {
		if (edits++ % 3 === 0) {
			await typeInto(desk, id, `typed meanwhile ${edits}`);
		}
	};
	let isOver = false;
	const typing = [typeAway(phone, 'phone', () => isOver), typeAway(desk, 'desk', () => isOver)];
	// Each key twice, so that there is much to edit.
	for (let n = 0; n < 60; n++) {
		t.is(await ask(`put key${Math.floor(n / 30) * 15 + (n % 15)} bot ${n}`), `put bot ${n}`);
		await sleep(50);
	}

	isOver = true;
	t.true((await Promise.all(typing)).every(count => count > 5));
	await ask('put last bot last');
	while ((await listed()).some(({status}) => status === 'waiting')) {
		await sleep(100);
	}

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

	t.log(`${overwritten.length} texts were written over and put back`);
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
	t.is(shown.length, 31);
	for (const {status, text, theirs} of shown) {
		t.true(['synced', 'edited', 'conflict'].includes(status ?? ''), status);
		t.true([...contents.values()].includes((status === 'synced' ? text : theirs) ?? ''), `${status} ${text}`);
	}

	t.false(JSON.stringify(await listed()).includes('typed'), 'texts are shown only when asked for');
	t.false(/typed|bot \d/.test(output()), 'no text stands in a log');
});

test.serial('a bot sees its drafts and what became of them, and is told when there is no such account', async t => {
	const {realm, ask, listed, run} = await start(t);
	const alice = await signIn(t, realm.url, 'alice@bothy.example');

	await ask('put tea one');
	while ((await listed())[0]?.status !== 'synced') {
		await sleep(100);
	}

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
