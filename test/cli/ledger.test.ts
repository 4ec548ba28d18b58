// The ledger's commands as a developer types them, beside a running `npm start`.

import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {text} from 'node:stream/consumers';
import {fileURLToPath} from 'node:url';
import test, {type ExecutionContext} from 'ava';
import {dataFolder, type Person, runBothy, signIn, startBothy} from '../helpers/bothy.js';
import {payload} from '../helpers/payload.js';

const CLI = fileURLToPath(new URL('../../src/cli.js', import.meta.url));
const FACE = fileURLToPath(new URL('../../src/index.js', import.meta.url));

const BROKEN = `
	import {bot} from ${JSON.stringify(FACE)};
	export default bot({about: 'Throws'}).on('direct_message', () => { throw new RangeError('out of cheese'); });
`;

/** Everything, with one more bot that throws; and somebody who writes to bots. */
async function startHouse(t: ExecutionContext) {
	const data = await dataFolder(t);
	const bots = await dataFolder(t);
	await writeFile(join(bots, 'cheese.mjs'), BROKEN);
	// It is the commands that are looked at: one receiver will do.
	const env = {
		BOTHY_DATA: data,
		REDIS_PORT: '0',
		BOTHY_BOTS: bots,
		LOG_LEVEL: 'silent',
		TZ: 'UTC',
		WEB_CONCURRENCY: '1',
	};
	const bothy = await startBothy(t, {data, env});
	const alice = await signIn(t, bothy.realmUrl, 'alice@bothy.example');
	const heard = await alice.listen();
	const fromBot = (name: string) => (message: {sender_email: string}) =>
		message.sender_email === `${name}-bot@bothy.example`;
	return {
		alice,
		next: (name: string) => heard.next(fromBot(name)),
		/** Writes to a bot, waits for its answer. */
		async ask(name: string, content: string) {
			await write(alice, name, content);
			return (await heard.next(fromBot(name))).content;
		},
		run: (...args: string[]) => runBothy(args, env),
		async ids(...args: string[]): Promise<string[]> {
			const {output} = await runBothy(['deliveries', '--json', ...args], env);
			return output
				.trim()
				.split('\n')
				.map(line => JSON.parse(line).id);
		},
		env,
		launch(...args: string[]) {
			const child = spawn(process.execPath, [CLI, ...args], {env: {PATH: process.env.PATH, ...env}});
			t.teardown(() => child.kill('SIGKILL'));
			return child;
		},
	};
}

async function write(from: Person, name: string, content: string): Promise<void> {
	const {members} = await from.getUsers();
	const bot = members.find(({email}) => email === `${name}-bot@bothy.example`);
	await from.sendMessage({type: 'direct', to: [bot?.user_id ?? 0], content});
}

test.serial('deliveries are listed without the text of messages, newest last', async t => {
	const {ask, run} = await startHouse(t);
	const none = await run('deliveries', '--bot', 'echo');
	t.is(none.code, 0);
	t.is(none.output, 'No deliveries yet for echo. Mention one of them, or write to it, and look again.\n');

	await ask('echo', 'a private matter');
	await ask('cheese', 'please');
	const {code, output} = await run('deliveries');

	t.is(code, 0);
	const [first = '', second = '', ...rest] = output.trim().split('\n');
	t.regex(first, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}echo +\d+-[\da-f]{12} .* done {5}inline +\d+ ms {2}1 run$/);
	t.regex(second, / cheese .* failed {3}inline .* [\da-f]{8} RangeError: out of cheese$/);
	t.deepEqual(rest, []);
	t.notRegex(output, /private matter/);

	t.regex((await run('deliveries', '--status', 'failed')).output, /^[^\n]*out of cheese\n$/);
	t.regex((await run('deliveries', '--bot', 'echo-bot@bothy.example')).output, /^[^\n]* echo [^\n]*\n$/);
	t.regex((await run('deliveries', '--limit', '1')).output, /^[^\n]*out of cheese\n$/);
	t.regex(
		(await run('deliveries', '--status', 'parked', '--since', '1h')).output,
		/^No deliveries .* that fit\. Try it without --status and --since\.\n$/,
	);
	t.regex((await run('deliveries', '--bot', 'nobody')).output, /--bot: expected one of .*echo.* found "nobody"/);
	t.like(await run('deliveries', '--since', 'noon'), {code: 1});
});

test.serial('one delivery is shown whole, its text when asked for', async t => {
	const {ask, run, ids} = await startHouse(t);
	await ask('cheese', 'a private matter');
	const [id = ''] = await ids();

	const page = (await run('deliveries', id)).output;
	t.regex(page, /Status +failed, answered in the webhook/);
	t.regex(page, /Answer +\{"content":"<\d+ characters>"\}/);
	t.regex(page, /Error +[\da-f]{8} RangeError: out of cheese\n +at /);
	t.regex(page, /"data": "<16 characters>"/);
	t.notRegex(page, /private matter/);
	t.regex((await run('deliveries', id, '--text')).output, /"data": "a private matter"/);

	const missing = await run('deliveries', '1-nothing');
	t.is(missing.code, 1);
	t.regex(missing.output, /^bothy: Expected the id of a delivery to .*, found "1-nothing".*`bothy deliveries` lists/);
});

test.serial('--follow prints what is new and what has changed until Ctrl-C', async t => {
	const {ask, launch} = await startHouse(t);
	await ask('echo', 'before');
	const following = launch('deliveries', '--follow');
	const lines = createInterface(following.stdout)[Symbol.asyncIterator]();
	/** A delivery may be seen while it still runs: what comes before the line that is waited for is of no matter. */
	const until = async (pattern: RegExp) => {
		for (let line = await lines.next(); !line.done; line = await lines.next()) {
			if (pattern.test(line.value)) {
				return t.pass();
			}
		}

		t.fail(`ended without ${pattern}`);
	};

	await until(/ echo /);
	await ask('cheese', 'while it looks');
	await until(/ cheese .* failed /);
	await ask('remind', 'me in 3 seconds tea');
	await until(/ remind .* done .* 1 run {3}1 to be posted$/);
	await until(/ remind .* done .* 1 run$/);

	const exited = once(following, 'exit');
	following.kill('SIGINT');
	t.deepEqual(await exited, [130, null]);
});

test.serial('a dry run prints what the bot would say, and posts nothing', async t => {
	const {ask, run, ids} = await startHouse(t);
	await ask('remind', 'me in 5 minutes tea');
	await ask('cheese', 'please');
	const [reminder = '', cheese = ''] = await ids();

	const dry = await run('replay', reminder, '--dry-run');
	t.is(dry.code, 0);
	t.regex(dry.output, /Would send to \{"dm":\[\d+\]\} at \d{4}-.*: @\*\*Alice Ahn\|\d+\*\* tea\n/);
	t.regex(dry.output, /Would reply: I will remind you at <time:/);

	const failing = await run('replay', cheese, '--dry-run');
	t.is(failing.code, 1);
	t.regex(failing.output, /Failed: [\da-f]{8} RangeError: out of cheese/);
	t.deepEqual(await ids(), [reminder, cheese]);
});

test.serial('a replay is answered late, as a delivery of its own', async t => {
	const {ask, run, ids, next} = await startHouse(t);
	await ask('echo', 'once more');
	const [id = ''] = await ids();

	const {code, output} = await run('replay', id);

	t.is(code, 0);
	t.regex(output, new RegExp(`Delivery +${id}-r1\n[^]*answered late[^]*Said 1 +reply, sent \\d+: <9 characters>`));
	t.is((await next('echo')).content, 'once more');
	t.deepEqual(await ids(), [id, `${id}-r1`]);

	const missing = await run('replay', '1-nothing');
	t.is(missing.code, 1);
	t.regex(missing.output, /`bothy deliveries` lists/);
});

test.serial('a payload from a file is proven, run once and answered', async t => {
	const {run, launch, env, ids} = await startHouse(t);
	const file = join(env.BOTHY_DATA, 'payload.json');
	const captured = payload({botEmail: 'echo-bot@bothy.example', text: 'from a file', token: 'wrong'});
	await writeFile(file, JSON.stringify(captured));

	const unproven = await run('receive', file);
	t.is(unproven.code, 1);
	t.regex(unproven.output, /unknown bot echo-bot@bothy\.example or wrong token\. --no-proof takes/);

	const first = await run('receive', file, '--no-proof');
	t.is(first.code, 0);
	t.true(first.output.startsWith('{"content":"from a file"}\n'), first.output);
	const again = await run('receive', file, '--no-proof');
	t.regex(again.output, /had arrived before.*`bothy replay 4711-[\da-f]+` runs the bot again/);
	t.deepEqual((await ids()).length, 1);

	const piped = launch('receive', '-', '--no-proof');
	piped.stdin.end(JSON.stringify({...captured, message: {...captured.message, id: 4712}}));
	t.is(await text(piped.stdout), '{"content":"from a file"}\n');

	await writeFile(file, 'no JSON');
	t.regex((await run('receive', file)).output, /payload\.json: expected the JSON body of an outgoing webhook/);
	await writeFile(file, '{"bot_email": "echo-bot@bothy.example"}');
	t.regex((await run('receive', file, '--no-proof')).output, /payload\.json: Expected an outgoing-webhook payload\. `/);
	t.regex((await run('receive', `${file}.not`)).output, /^bothy: Expected a file with a payload: ENOENT/);
});

test.serial('without any account the commands say where they look', async t => {
	const {code, output} = await runBothy(['deliveries'], {BOTHY_DATA: await dataFolder(t), REDIS_PORT: '0'});

	t.is(code, 1);
	t.regex(
		output,
		/^bothy: Expected at least one bot account in bothyrc \(BOTHY_CONFIG\) or in .*realm\.bothyrc, found none/,
	);
});
