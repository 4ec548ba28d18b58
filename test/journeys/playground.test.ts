// The playground of the chat page, in a browser, with everything that `bothy dev` starts.

import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdir, readFile, symlink, writeFile} from 'node:fs/promises';
import {join, resolve} from 'node:path';
import {text as readAll} from 'node:stream/consumers';
import type {ExecutionContext} from 'ava';
import type {BrowserContext, Page} from 'playwright-core';
import {dataFolder, fileScope, startCommand} from '../helpers/bothy.js';
import {browserTest, openWindow} from '../helpers/browser.js';

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
	const url = await dev.find(/Chat page\s+(http:\S+)/);
	// The first call opens the connection to Redis.
	const {status: dueStatus} = await fetch(`${url}/dev/due`);
	return {url, cwd, env, dueStatus};
}

const byName = (page: Page) => page.getByRole('textbox', {name: 'Message to'});

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

browserTest('one click leads from a message to its payload, and the copied command gives the same answer', async t => {
	const {page, window} = await signIn(t);
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
	t.is(await page.getByRole('alert').count(), 0);
});

browserTest('a fault hits the next message of a bot, not of the person, and the wire shows what followed', async t => {
	const {page} = await signIn(t);
	await page.getByRole('button', {name: 'Playground'}).click();
	await page.getByRole('tab', {name: 'Faults'}).click();
	await page.getByRole('button', {name: '429', exact: true}).click();
	await page.getByRole('listitem').getByRole('button', {name: 'Cancel'}).waitFor();

	await (await chipOf(page, 'tea 429', /^Trial · .*late$/)).click();

	await wire(page).getByText('fault: 429').waitFor();
	await wire(page)
		.getByText(/: done, 1 run$/)
		.waitFor();
	t.is(await page.getByRole('alert').count(), 0);
});
