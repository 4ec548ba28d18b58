// The playground of the chat page, in a browser, with everything that `bothy dev` starts.

import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {readFile, writeFile} from 'node:fs/promises';
import {join, resolve} from 'node:path';
import {text as readAll} from 'node:stream/consumers';
import {seriousViolations} from '../helpers/axe.js';
import {runBothy, signIn} from '../helpers/bothy.js';
import {browserTest} from '../helpers/browser.js';
import {until} from '../helpers/until.js';
import {box, chipOf, dev, house, openPage, openTab, TRIAL, wire} from './playground-kit.js';

interface Exchange {
	readonly kind: string;
	readonly operation: string | null;
	readonly outcome: string;
	readonly status: number | null;
}

const statuses = (exchanges: readonly Exchange[]) => exchanges.map(({status, outcome}) => status ?? outcome);

browserTest('one click leads from a message to its payload, and the copied command gives the same answer', async t => {
	const page = await openPage(t);
	const {cwd, env, dueStatus} = await house;
	t.is(dueStatus, 200);

	await (await chipOf(page, 'echo good morning', /^Trial · \d+ ms$/)).click();

	await wire(page).getByText('"data": "@**Trial** echo good morning"').waitFor();
	await wire(page)
		.getByText(/^Answered 200 after \d+ ms$/)
		.waitFor();
	await wire(page).locator('q', {hasText: 'good morning'}).waitFor();
	await wire(page).getByRole('button', {name: 'Copy as bothy receive'}).click();
	await wire(page).getByText('Copied').waitFor();
	const command = await page.evaluate<string>('navigator.clipboard.readText()');
	const payload = /<<'PAYLOAD'\n(.*)\nPAYLOAD\n$/s.exec(command)?.[1] ?? '';
	t.regex(command, /^npx bothy receive --no-verify - <</);
	const child = spawn(process.execPath, [resolve('dist/src/cli.js'), 'receive', '--no-verify', '-'], {
		cwd,
		env: {PATH: process.env.PATH, ...env},
	});
	child.stdin.end(payload);
	const [output] = await Promise.all([readAll(child.stdout), once(child, 'exit')]);
	t.deepEqual(JSON.parse(output), {content: 'good morning'});

	const {bots} = await dev<{bots: unknown[]}>('/bots');
	const config = await readFile(join(env.BOTHY_DATA, 'realm.bothyrc'), 'utf8');
	const secrets = [...config.matchAll(/^(?:key|token) = (\S+)$/gm)].map(([, secret]) => secret as string);
	const seen = await page.evaluate<string>('document.documentElement.outerHTML + JSON.stringify(sessionStorage)');
	t.is(secrets.length, bots.length * 2);
	t.deepEqual(
		secrets.filter(secret => seen.includes(secret) || page.url().includes(secret) || command.includes(secret)),
		[],
	);
});

browserTest('for a bot that does not answer, one click shows why', async t => {
	const page = await openPage(t);
	const {url} = await house;

	await (await chipOf(page, 'throw', /^Trial · failed [\da-f]{8}$/)).click();
	await wire(page)
		.getByText(/RangeError: out of cheese/)
		.waitFor();

	await (await chipOf(page, 'silent', /^Trial · (silent|nothing after [\d.]+ s)$/)).click();
	await wire(page).getByText('Trial: The handler ended without a text.').waitFor();

	await (await chipOf(page, 'forbidden', /^Trial · failed [\da-f]{8}$/)).click();
	await wire(page)
		.getByText(/there is no channel “attic” that the bot can see/)
		.first()
		.waitFor();

	await (await chipOf(page, 'stranger', /^Trial · refused 400$/)).click();
	await wire(page)
		.getByText(/(The realm refused sendMessage|Not posted): Invalid user ID 99999/)
		.waitFor();

	// On a busy machine, the realm may give up before the host ends its request.
	await (await chipOf(page, 'wait', /^Trial · (nothing after [\d.]+ s|no answer)$/)).click();
	await wire(page)
		.getByText(/^Trial: The handler is still running, \d+ s after the message\./)
		.waitFor();
	await chipOf(page, 'go', /^Trial/);
	await page.getByRole('article').filter({hasText: 'At last'}).waitFor();

	// The receiver does not know this bot. A wrong token gets the same answer.
	const alice = await signIn(t, url, 'alice@bothy.example');
	const {bots} = await dev<{bots: {payload_url: string}[]}>('/bots');
	const payload_url = bots[0]?.payload_url ?? '';
	const {user_id} = await alice.createBot({full_name: 'Lost', short_name: 'lost', bot_type: 3, payload_url});
	await alice.sendMessage({type: 'direct', to: [user_id], content: 'anybody?'});
	await page.goto(`${url}/#dm/${user_id}`);
	await page.getByRole('button', {name: 'Lost · failed 401'}).click();
	await wire(page)
		.getByText(/^Lost: The receiver does not know this bot, or has another token for it\. Compare `email` and `token`/)
		.waitFor();
	t.is(await page.getByRole('alert').count(), 0);
});

browserTest('each fault is pending until it hits a bot, and the wire, the realm and the ledger show it', async t => {
	const page = await openPage(t);
	const {url, env} = await house;
	const bob = await signIn(t, url, 'bob@bothy.example');
	const press = async (name: string) => {
		await openTab(page, 'Faults');
		await page.getByRole('button', {name, exact: true}).click();
		await page.getByRole('listitem').getByRole('button', {name: 'Cancel'}).waitFor();
	};
	/** The exchanges of the message that the wire shows. */
	const shown = async () => {
		const id = /\d+/.exec((await wire(page).getByRole('heading', {name: 'Message'}).textContent()) ?? '')?.[0];
		return (await dev<{exchanges: Exchange[]}>(`/exchanges?message_id=${id}`)).exchanges;
	};
	const contents = async (topic: string) => {
		const narrow = [{operator: 'topic', operand: topic}];
		const {messages} = await bob.getMessages({
			anchor: 'newest',
			num_before: 100,
			num_after: 0,
			narrow,
			apply_markdown: false,
		});
		return messages.map(({content}) => content);
	};

	await page.getByRole('button', {name: 'Playground'}).click();
	await openTab(page, 'Faults');
	await page.getByRole('button', {name: 'Delay 12 s'}).click();
	await page.getByRole('listitem').getByRole('button', {name: 'Cancel'}).waitFor();
	await chipOf(page, 'echo late', /^Trial · …$/);
	for (const [button, fault] of [
		['Break before the answer', 'break-before'],
		['Break after the answer', 'break-after'],
	] as const) {
		await press(button);
		// Posted, if the bot host noticed the break before its bot was done.
		await (await chipOf(page, `echo ${fault}`, /^Trial · (posted after )?[\d.]+ m?s$/)).click();
		await wire(page).getByText(`fault: ${fault}`).waitFor();
		await wire(page).getByText('attempt 2').waitFor();
		const attempts = statuses((await shown()).filter(({kind}) => kind === 'webhook'));
		t.deepEqual([attempts[0], attempts.at(-1)], ['broken', 200]);
		t.is((await contents('tests')).filter(content => content === fault).length, 1);
	}

	for (const [button, fault, first] of [
		['429', '429', 429],
		['500', '500', 500],
		['Accepted, then broken', 'accept-and-break', 'broken'],
	] as const) {
		await press(button);
		await (await chipOf(page, `tea ${fault}`, /^Trial · posted after /)).click();
		await wire(page).getByText(`fault: ${fault}`).waitFor();
		await wire(page)
			.getByText(/: done, 1 run$/)
			.waitFor();
		const posts = statuses((await shown()).filter(({operation}) => operation === 'sendMessage'));
		t.deepEqual([posts[0], posts.at(-1)], [first, fault === 'accept-and-break' ? first : 200]);
		t.is((await contents('tea')).filter(content => content === `Tea in spite of ${fault}`).length, 1);
	}

	await press('Break after the answer');
	await page.getByRole('button', {name: 'Cancel'}).click();
	await page.getByText('Nothing is pending.').waitFor();
	await page.getByRole('button', {name: /^Redeliver message/}).click();
	await page.getByText('Posted 1 webhook again.').waitFor();
	await openTab(page, 'Wire');
	await until(async () => statuses((await shown()).filter(({kind}) => kind === 'webhook')).join() === '200,200');
	t.is((await contents('tea')).length, 3, 'the bot does not run again');

	await openTab(page, 'Faults');
	await Promise.all([
		page.waitForRequest('**/api/v1/register'),
		page.getByRole('button', {name: 'Expire event queues'}).click(),
	]);
	await page.getByText(/^\d+ event queues? expired\.$/).waitFor();
	await bob.sendMessage({type: 'stream', to: 'general', topic: 'tests', content: 'still here?'});
	await page.getByRole('article').filter({hasText: 'still here?'}).waitFor();

	const late = page.getByRole('article').filter({hasText: '@Trial echo late'});
	await late.getByRole('button', {name: /^Trial · \d+ ms$/}).click();
	await wire(page).getByText('fault: delay 12000 ms').waitFor();
	t.is((await contents('tests')).filter(content => content === 'late').length, 1);

	const {output} = await runBothy(['deliveries', '--json', '--text'], env);
	const deliveries = output
		.split('\n')
		.filter(line => line.startsWith('{'))
		.map(line => JSON.parse(line));
	const words = new Set(['late', 'break-before', 'break-after']);
	const echoed = deliveries.filter(({answer, outbox}) => words.has(answer?.content ?? outbox[0]?.text));
	t.deepEqual(
		echoed.map(({status, runs}) => [status, runs]),
		[1, 2, 3].map(() => ['done', 1]),
	);
	const tea = deliveries.filter(({outbox}) => outbox[0]?.target?.topic === 'tea');
	t.deepEqual(
		tea.map(({status, runs}) => [status, runs]),
		[1, 2, 3].map(() => ['done', 1]),
	);
});

browserTest(
	'bots and what is due are listed, a second person is beside, and a syntax error shows its line',
	async t => {
		const page = await openPage(t);
		const {cwd, url} = await house;
		await page.getByRole('button', {name: 'Playground'}).click();

		await openTab(page, 'Bots');
		const bot = page.getByRole('region', {name: 'Trial'});
		await bot.getByText('Tries everything').waitFor();
		await bot.getByText('***').waitFor();
		await bot.getByRole('button', {name: 'echo <text…>'}).click();
		t.is(await box(page).inputValue(), '@**Trial** echo ');
		await box(page).fill('');

		await openTab(page, 'Due');
		await page.getByRole('button', {name: 'Now'}).click();
		await page.getByText('It runs now.').waitFor();
		await page.goto(`${url}/#channel/general/tea`);
		await page.getByRole('article').filter({hasText: 'Brewed'}).waitFor();

		await page.getByRole('button', {name: 'Open as Bob beside'}).click();
		const beside = page.frameLocator('iframe');
		await box(beside).fill('Hello from Bob');
		await box(beside).press('Enter');
		const hello = page.getByRole('article').filter({hasText: 'Bob Birk'}).filter({hasText: 'Hello from Bob'});
		await hello.waitFor();
		await page.getByRole('button', {name: 'Close', exact: true}).click();

		const banner = page.getByRole('status').filter({hasText: 'trial failed to load'});
		await writeFile(join(cwd, 'bots', 'trial.ts'), `${TRIAL}\nconst = 4;\n`);
		await banner.getByRole('button', {name: /^trial failed to load \(bots\/trial\.ts:\d+\): syntax error: /}).click();
		const {bots} = await dev<{bots: {hosted: {error: {line: number}} | null}[]}>('/bots');
		t.is(bots[0]?.hosted?.error.line, TRIAL.split('\n').length + 1);
		await bot.getByText(/syntax error/).waitFor();
		await writeFile(join(cwd, 'bots', 'trial.ts'), TRIAL);
		await banner.waitFor({state: 'detached'});
	},
);

browserTest(
	'with the keyboard alone, at 320 pixels, a person opens the drawer, changes tabs and closes it',
	async t => {
		const page = await openPage(t);
		const chip = await chipOf(page, 'throw', /^Trial · failed/);
		await page.setViewportSize({width: 320, height: 640});
		const focused = () => page.evaluate<string>('document.activeElement.textContent');

		await chip.focus();
		await page.keyboard.press('Enter');
		await wire(page)
			.getByText(/RangeError/)
			.waitFor();
		await page.keyboard.press('Shift+Tab');
		await page.keyboard.press('Shift+Tab');
		t.is(await focused(), 'Wire');
		for (const name of ['Faults', 'Bots', 'Due', 'Wire']) {
			await page.keyboard.press('ArrowRight');
			await page.getByRole('tabpanel', {name}).waitFor();
			t.is(await page.evaluate('document.documentElement.scrollWidth'), 320);
			t.true(await page.evaluate("document.querySelector('[role=tabpanel]').scrollWidth <= 320"));
		}

		await page.keyboard.press('Escape');
		await page.getByRole('button', {name: 'Playground'}).waitFor();
		t.regex(await focused(), /^Trial · failed/);
		await page.getByRole('button', {name: 'Playground'}).focus();
		await page.keyboard.press('Enter');
		await page.keyboard.press('Escape');
		t.is(await focused(), 'Playground');
	},
);

browserTest('axe finds nothing serious in the drawer and the dialogs, light and dark', async t => {
	const page = await openPage(t);
	await (await chipOf(page, 'throw', /^Trial · failed/)).click();
	await wire(page)
		.getByText(/RangeError/)
		.waitFor();
	const check = async (part: string, what: string) => {
		for (const colorScheme of ['light', 'dark'] as const) {
			await page.emulateMedia({colorScheme});
			t.deepEqual(await seriousViolations(page, part), [], `${what}, ${colorScheme}`);
		}
	};

	for (const name of ['Wire', 'Faults', 'Bots', 'Due']) {
		await openTab(page, name);
		await check('.drawer', name);
	}

	for (const name of ['Jump or search', 'New group', 'Drafts and scheduled']) {
		await page.getByRole('button', {name}).click();
		await page.getByRole('dialog').waitFor();
		await check('dialog', name);
		await page.keyboard.press('Escape');
	}
});
