// The playground of the chat page, in a browser, with everything that `bothy dev` starts.

import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdir, readFile, symlink, writeFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {join, resolve} from 'node:path';
import {text as readAll} from 'node:stream/consumers';
import type {ExecutionContext} from 'ava';
import type {BrowserContext, Page} from 'playwright-core';
import {dataFolder, fileScope, runBothy, startCommand} from '../helpers/bothy.js';
import {browserTest, openWindow} from '../helpers/browser.js';
import {until} from '../helpers/until.js';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

const TRIAL = `
	import {bot, z} from 'bothy';
	const room = {channel: 'general', topic: 'tea'};
	export default bot({about: 'Tries everything', perMinute: 0, config: z.object({apiKey: z.string().default('letmein')})})
		.command('echo', {about: 'Say it again', args: z.object({text: z.string()})}, (ctx, {text}) => ctx.reply(text))
		.command('throw', {about: 'Throw'}, () => {
			throw new RangeError('out of cheese');
		})
		.command('silent', {about: 'Say nothing'}, () => {})
		.command('forbidden', {about: 'Post where it may not'}, async ctx => {
			await ctx.send({channel: 'attic', topic: 'x'}, 'hello');
		})
		.command('tea', {about: 'Post elsewhere', args: z.object({fault: z.string()})}, async ctx => {
			await ctx.send(room, 'Tea is ready');
		})
		.cron('brew', {pattern: '0 0 1 1 *'}, ctx => ctx.send(room, 'Brewed'));
`;

const scope = fileScope('playground');
const house = openHouse();
// Each test waits for it.
house.catch(() => {});

async function openHouse() {
	const cwd = await dataFolder(scope);
	await writeFile(join(cwd, 'package.json'), '{"type": "module"}');
	await mkdir(join(cwd, 'bots'));
	await mkdir(join(cwd, 'node_modules'));
	await symlink(resolve('.'), join(cwd, 'node_modules', 'bothy'));
	await writeFile(join(cwd, 'bots', 'trial.ts'), TRIAL);
	await writeFile(join(cwd, 'bothyrc'), '');
	const data = join(cwd, '.data');
	const env = {
		PORT: '0',
		REALM_PORT: '0',
		REALM_RATE_LIMIT: 'off',
		BOTHY_DATA: data,
		BOTHY_CONFIG: join(cwd, 'bothyrc'),
		LOG_LEVEL: 'warn',
	};
	const dev = await startCommand(scope, 'dev', {cwd, env, ready: /(Ctrl-C)/});
	return {url: await dev.find(/Chat page\s+(http:\S+)/), cwd, env};
}

const byName = (page: Page | ReturnType<Page['frameLocator']>) => page.getByRole('textbox', {name: 'Message to'});

async function signIn(t: ExecutionContext): Promise<{page: Page; window: BrowserContext}> {
	t.timeout(400_000);
	const {url} = await house;
	const window = await openWindow(t);
	window.setDefaultTimeout(90_000);
	await window.grantPermissions(['clipboard-read', 'clipboard-write'], {origin: url});
	const page = await window.newPage();
	page.on('pageerror', error => t.fail(String(error)));
	await page.goto(`${url}/#channel/general/tests`);
	await page.getByRole('button', {name: 'Alice'}).click();
	await byName(page).waitFor();
	return {page, window};
}

/** Writes to the bot. Resolves with the message's chip, once it says what fits. */
async function chipOf(page: Page, text: string, says: RegExp) {
	await byName(page).fill(`@**Trial** ${text}`);
	await byName(page).press('Enter');
	const message = page
		.getByRole('article')
		.filter({hasText: `@Trial ${text}`})
		.last();
	const chip = message.getByRole('button', {name: says});
	await chip.waitFor();
	return chip;
}

const wire = (page: Page) => page.getByRole('tabpanel', {name: 'Wire'});
const tab = (page: Page, name: string) => page.getByRole('tab', {name}).click();

browserTest('one click leads from a message to its payload, and the copied command gives the same answer', async t => {
	const {page, window} = await signIn(t);
	const {cwd, env} = await house;

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
	t.regex(command, /^npx bothy receive --no-proof - <</);
	const child = spawn(process.execPath, [resolve('dist/src/cli.js'), 'receive', '--no-proof', '-'], {
		cwd,
		env: {PATH: process.env.PATH, ...env},
	});
	child.stdin.end(payload);
	const [output] = await Promise.all([readAll(child.stdout), once(child, 'exit')]);
	t.deepEqual(JSON.parse(output), {content: 'good morning'});

	const {bots} = (await (await fetch(`${(await house).url}/dev/bots`)).json()) as {bots: {email: string}[]};
	const config = await readFile(join(env.BOTHY_DATA, 'realm.bothyrc'), 'utf8');
	const secrets = [...config.matchAll(/^(?:key|token) = (\S+)$/gm)].map(([, secret]) => secret as string);
	const seen = await page.evaluate<string>('document.documentElement.outerHTML + JSON.stringify(sessionStorage)');
	t.is(secrets.length, bots.length * 2);
	t.deepEqual(
		secrets.filter(secret => seen.includes(secret) || page.url().includes(secret) || command.includes(secret)),
		[],
	);
	await window.close();
});

browserTest('for a bot that does not answer, the page says why', async t => {
	const {page} = await signIn(t);

	await (await chipOf(page, 'throw', /^Trial · failed [\da-f]{8}$/)).click();
	await wire(page)
		.getByText(/RangeError: out of cheese/)
		.waitFor();

	await (await chipOf(page, 'silent', /^Trial · silent$/)).click();
	await wire(page).getByText('No text in this answer').waitFor();

	await (await chipOf(page, 'forbidden', /^Trial · failed [\da-f]{8}$/)).click();
	await wire(page)
		.getByText(/there is no channel “attic” that the bot can see/)
		.first()
		.waitFor();
	t.pass();
});

browserTest('each fault is pending until it happens, and the wire and the ledger show what followed', async t => {
	const {page} = await signIn(t);
	const {env} = await house;
	const press = async (name: string) => {
		await tab(page, 'Faults');
		await page.getByRole('button', {name, exact: true}).click();
		await page.getByRole('listitem').getByRole('button', {name: 'Cancel'}).waitFor();
	};
	await page.getByRole('button', {name: 'Playground'}).click();

	await press('Break before the answer');
	await (await chipOf(page, 'echo once', /^Trial · \d+ ms$/)).click();
	await wire(page).getByText('fault: break-before').waitFor();
	await wire(page).getByText('attempt 2').waitFor();

	for (const [button, fault] of [
		['429', '429'],
		['500', '500'],
		['Accepted, then broken', 'accept-and-break'],
	] as const) {
		await press(button);
		await (await chipOf(page, `tea ${fault}`, /^Trial · .*late$/)).click();
		await wire(page).getByText(`fault: ${fault}`).waitFor();
		await wire(page)
			.getByText(/: done, 1 run$/)
			.waitFor();
	}

	await press('Break after the answer');
	await page.getByRole('button', {name: 'Cancel'}).click();
	await page.getByText('Nothing is pending.').waitFor();
	await page.getByRole('button', {name: /^Redeliver message/}).click();
	await page.getByText('Posted 1 webhook again.').waitFor();
	await page.getByRole('button', {name: 'Expire event queues'}).click();
	await page.getByText(/event queues? expired/).waitFor();

	const {output} = await runBothy(['deliveries', '--json'], env);
	const entries = output
		.split('\n')
		.filter(line => line.startsWith('{'))
		.map(line => JSON.parse(line));
	const tea = entries.filter(({outbox}) => outbox.length === 1 && outbox[0].target?.topic === 'tea');
	t.deepEqual(
		tea.map(({status, runs}) => [status, runs]),
		tea.map(() => ['done', 1]),
	);
	t.is(tea.length, 3);
	const posted = page.getByRole('article').filter({hasText: 'Tea is ready'});
	await page.goto(`${(await house).url}/#channel/general/tea`);
	await until(async () => (await posted.count()) === 3);
});

browserTest(
	'a saved syntax error is on the page, bots and what is due are listed, and a second person is beside',
	async t => {
		const {page} = await signIn(t);
		const {cwd, url} = await house;
		await page.getByRole('button', {name: 'Playground'}).click();

		await tab(page, 'Bots');
		const bot = page.getByRole('region', {name: 'Trial'});
		await bot.getByText('Tries everything').waitFor();
		await bot.getByText('***').waitFor();
		await bot.getByRole('button', {name: 'echo <text…>'}).click();
		t.is(await byName(page).inputValue(), '@**Trial** echo ');
		await byName(page).fill('');

		await tab(page, 'Due');
		await page.getByRole('button', {name: 'Now'}).click();
		await page.getByText('It runs now.').waitFor();
		await page.goto(`${url}/#channel/general/tea`);
		await page.getByRole('article').filter({hasText: 'Brewed'}).waitFor();

		await page.getByRole('button', {name: 'Open as Bob beside'}).click();
		const beside = page.frameLocator('iframe');
		await byName(beside).fill('Hello from Bob');
		await byName(beside).press('Enter');
		await page.getByRole('article').filter({hasText: 'Bob Birk'}).filter({hasText: 'Hello from Bob'}).waitFor();

		await writeFile(join(cwd, 'bots', 'trial.ts'), `${TRIAL}\nconst = 4;\n`);
		await page.getByRole('button', {name: /^trial failed to load \(bots\/trial\.ts:\d+\): syntax error/}).waitFor();
		await writeFile(join(cwd, 'bots', 'trial.ts'), TRIAL);
		await page.getByRole('button', {name: /^trial failed to load/}).waitFor({state: 'detached'});
	},
);

browserTest('axe finds nothing serious in the drawer, light and dark, wide and narrow', async t => {
	const {page} = await signIn(t);
	await (await chipOf(page, 'throw', /^Trial · failed/)).click();
	await wire(page)
		.getByText(/RangeError/)
		.waitFor();

	for (const width of [1280, 390]) {
		await page.setViewportSize({width, height: 800});
		for (const colorScheme of ['light', 'dark'] as const) {
			await page.emulateMedia({colorScheme});
			for (const name of ['Wire', 'Faults', 'Bots', 'Due']) {
				await tab(page, name);
				t.deepEqual(await seriousViolations(page), [], `${name}, ${colorScheme}, ${width} px`);
			}
		}
	}
});

/** Through the browser's own door, so that the page's policy is no obstacle. */
async function seriousViolations(page: Page): Promise<string[]> {
	await page.evaluate(await readFile(axe, 'utf8'));
	const violations = await page.evaluate<Array<{id: string; impact: string; nodes: Array<{html: string}>}>>(
		'axe.run().then(results => results.violations)',
	);
	return violations
		.filter(({impact}) => impact === 'serious' || impact === 'critical')
		.flatMap(({id, nodes}) => nodes.map(node => `${id}: ${node.html}`));
}
