// The ledger's commands, run as a developer runs them while a host is running.

import {once} from 'node:events';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import test, {type ExecutionContext} from 'ava';
import {dataFolder, startCommand} from '../helpers/bothy.js';
import {openHouse} from '../helpers/house.js';
import {payload} from '../helpers/payload.js';
import {runHere} from '../helpers/terminal.js';

const FACE = fileURLToPath(new URL('../../src/index.js', import.meta.url));

const BROKEN = `
	import {bot} from ${JSON.stringify(FACE)};
	export default bot({about: 'Throws'}).on('direct_message', () => { throw new RangeError('out of cheese'); });
`;

/** A host of two examples and of a bot that throws, and somebody who writes to them. */
async function start(t: ExecutionContext) {
	const folder = await dataFolder(t);
	await writeFile(join(folder, 'cheese.mjs'), BROKEN);
	const bots = {echo: undefined, remind: undefined, cheese: undefined};
	const house = await openHouse(t, {bots, env: {BOTHY_BOTS: folder}});
	return {
		...house,
		...(await house.signIn('alice')),
		folder,
		async ids(...args: string[]): Promise<string[]> {
			const {output} = await house.run('deliveries', '--json', ...args);
			return output
				.trim()
				.split('\n')
				.map(line => JSON.parse(line).id);
		},
	};
}

test('deliveries are listed without the text of messages, newest last', async t => {
	const {ask, run, settled} = await start(t);
	const none = await run('deliveries', '--bot', 'echo');
	t.is(none.code, 0);
	t.is(none.output, 'No deliveries yet for echo. Mention one of them, or write to it.\n');

	await ask('echo', 'a private matter');
	await ask('cheese', 'please');
	await settled();
	const {code, output} = await run('deliveries');

	t.is(code, 0);
	const [header = '', first = '', second = '', error = '', ...rest] = output.trim().split('\n');
	t.regex(header, /^ARRIVED \S+ .* TOOK$/);
	t.regex(first, /^\d\d-\d\d \d\d:\d\d:\d\d {2}echo +\d+-[\da-f]{12} .* done {5}inline +[\d.]+ m?s$/);
	t.regex(second, / cheese .* failed {3}inline .* m?s$/);
	t.regex(error, /^ {2}[\da-f]{8} RangeError: out of cheese$/);
	t.deepEqual(rest, []);
	t.notRegex(output, /private matter/);

	const one = /^ARRIVED[^\n]*\n[^\n]*cheese[^\n]*\n[^\n]*out of cheese\n$/;
	t.regex((await run('deliveries', '--status', 'failed')).output, one);
	t.regex((await run('deliveries', '--bot', 'echo-bot@bothy.example')).output, /^ARRIVED[^\n]*\n[^\n]* echo [^\n]*\n$/);
	t.regex((await run('deliveries', '--limit', '1')).output, one);
	t.deepEqual(
		[(await run('deliveries', '--fail')).code, (await run('deliveries', '--fail', '--bot', 'echo')).code],
		[1, 0],
	);
	t.regex(
		(await run('deliveries', '--status', 'parked', '--since', '1h')).output,
		/^No matching deliveries .*\. Try without --status and --since\.\n$/,
	);
	t.regex((await run('deliveries', '--bot', 'nobody')).output, /--bot: expected one of .*echo.* found "nobody"/);
	t.like(await run('deliveries', '--since', 'noon'), {code: 1});
});

test('one delivery is shown in full, with its text on request', async t => {
	const {ask, run, ids, settled} = await start(t);
	await ask('cheese', 'a private matter');
	await settled();
	const [id = ''] = await ids();

	const page = (await run('deliveries', id)).output;
	t.regex(page, /Status +failed, answered in the webhook/);
	t.regex(page, /Answer +\{"content":"<\d+ characters>"\}/);
	t.regex(page, /Error +[\da-f]{8} RangeError: out of cheese\n +at /);
	t.regex(page, /"data": "<16 characters>"/);
	t.notRegex(page, /private matter/);
	t.regex((await run('deliveries', id, '--text')).output, /"data": "a private matter"/);

	const [reference = ''] = /[\da-f]{8}(?= RangeError)/.exec(page) ?? [];
	t.is((await run('deliveries', reference)).output, page, 'the asker knows the reference, not the id');

	const missing = await run('deliveries', '1-nothing');
	t.is(missing.code, 1);
	t.regex(missing.output, /^bothy: Expected the id of a delivery to .*, found "1-nothing".*`bothy deliveries` lists/);
});

test('--follow prints new and changed deliveries until Ctrl-C', async t => {
	const {ask, run, env} = await start(t);
	await ask('echo', 'before');
	await ask('echo', 'as well');
	const following = await startCommand(t, 'deliveries', {args: ['--follow', '-n', '1'], env, ready: /( echo )/});

	await ask('cheese', 'while it looks');
	await following.find(/( cheese .* failed )/);
	t.is(following.output().split(' echo ').length - 1, 1, 'what -n leaves out is not replayed');
	await ask('remind', 'me in 60 minutes tea');
	await following.find(/( remind .* done .*\n {2}1 to be posted)$/m);
	const {id} = JSON.parse((await run('schedules', '--json')).output) as {id: string};
	t.like(await run('schedules', 'cancel', id), {code: 0});
	await following.find(/( remind .* done .* ms)\n(?! )/m);

	following.process.kill('SIGINT');
	t.deepEqual(await once(following.process, 'exit'), [130, null]);
});

test('a dry run prints what the bot would post, and posts nothing', async t => {
	const {ask, run, ids} = await start(t);
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

test('a replay is answered late, as a delivery of its own', async t => {
	const {ask, run, ids, next, settled} = await start(t);
	await ask('echo', 'once more');
	await settled();
	const [id = ''] = await ids();

	const {code, output} = await run('replay', id);

	t.is(code, 0);
	t.regex(output, new RegExp(`Delivery +${id}-r1\n[^]*answered late`));
	t.is(await next('echo'), 'once more');
	await settled();
	t.regex((await run('deliveries', `${id}-r1`)).output, /Said 1 +reply, sent \d+: <9 characters>/);
	t.deepEqual(await ids(), [id, `${id}-r1`]);

	const missing = await run('replay', '1-nothing');
	t.is(missing.code, 1);
	t.regex(missing.output, /`bothy deliveries` lists/);
});

test('a payload from a file is verified, run once and answered', async t => {
	const {run, env, folder, ids} = await start(t);
	const file = join(folder, 'payload.json');
	const captured = payload({botEmail: 'echo-bot@bothy.example', text: 'from a file', token: 'wrong'});
	await writeFile(file, JSON.stringify(captured));

	const unverified = await run('receive', file);
	t.is(unverified.code, 1);
	t.regex(unverified.output, /unknown bot echo-bot@bothy\.example or wrong token\. With --no-verify/);

	const first = await run('receive', file, '--no-verify');
	t.is(first.code, 0);
	t.true(first.output.startsWith('{"content":"from a file"}\n'), first.output);
	const again = await run('receive', file, '--no-verify');
	t.regex(again.output, /arrived before.*`bothy replay 4711-[\da-f]+` runs the bot again/);
	t.deepEqual((await ids()).length, 1);

	const input = JSON.stringify({...captured, message: {...captured.message, id: 4712}});
	const piped = await runHere(['receive', '-', '--no-verify'], {env, input});
	t.true(piped.output.startsWith('{"content":"from a file"}\n'), piped.output);

	await writeFile(file, 'no JSON');
	t.regex((await run('receive', file)).output, /payload\.json: expected the JSON body of an outgoing webhook/);
	await writeFile(file, '{"bot_email": "echo-bot@bothy.example"}');
	t.regex(
		(await run('receive', file, '--no-verify')).output,
		/payload\.json: Expected an outgoing-webhook payload\. `/,
	);
	t.regex((await run('receive', `${file}.not`)).output, /^bothy: Expected a file with a payload: ENOENT/);
});

test('without any account, the commands say where they look for accounts', async t => {
	const {code, output} = await runHere(['deliveries']);

	t.is(code, 1);
	t.regex(
		output,
		/^bothy: Expected at least one bot account in \S*bothyrc \(BOTHY_CONFIG\) or in .*realm\.bothyrc, found none/,
	);
});
