// The playground of the chat page in a browser, with everything that `bothy dev` starts: one for all tests of a file.

import {mkdir, symlink, writeFile} from 'node:fs/promises';
import {join, resolve} from 'node:path';
import type {ExecutionContext} from 'ava';
import type {FrameLocator, Page} from 'playwright-core';
import {dataFolder, startCommand} from '../helpers/bothy.js';
import {openWindow} from '../helpers/browser.js';
import {fileScope} from '../helpers/file-scope.js';

export const TRIAL = `
	import {bot, z} from 'bothy';
	const room = {channel: 'general', topic: 'tea'};
	let go = () => {};
	export default bot({about: 'Tries everything', perMinute: 0, config: z.object({apiKey: z.string().default('letmein')})})
		.command('echo', {about: 'Say it again', args: z.object({text: z.string()})}, (ctx, {text}) => ctx.reply(text))
		.command('throw', {about: 'Throw'}, () => {
			throw new RangeError('out of cheese');
		})
		.command('silent', {about: 'Say nothing'}, () => {})
		.command('forbidden', {about: 'Post where it may not'}, async ctx => {
			await ctx.send({channel: 'attic', topic: 'x'}, 'hello');
		})
		.command('stranger', {about: 'Write to nobody'}, async ctx => {
			await ctx.send({dm: [99999]}, 'hello');
		})
		.command('wait', {about: 'Take long'}, async ctx => {
			await new Promise<void>(resolve => {
				go = resolve;
			});
			await ctx.reply('At last');
		})
		.command('go', {about: 'End the wait'}, () => go())
		.command('tea', {about: 'Post elsewhere', args: z.object({fault: z.string()})}, async (ctx, {fault}) => {
			await ctx.send(room, \`Tea in spite of \${fault}\`);
		})
		.cron('brew', {pattern: '0 0 1 1 *'}, ctx => ctx.send(room, 'Brewed'));
`;

const scope = fileScope('playground');
export const house = openHouse();
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
		// A post that got a 500 is tried again when its outcome is settled.
		SEND_SETTLE_SECONDS: '1',
	};
	const dev = await startCommand(scope, 'dev', {cwd, env, ready: /(Ctrl-C)/});
	const url = await dev.find(/Chat page\s+(http:\S+)/);
	// The first call opens the connection to Redis.
	const {status: dueStatus} = await fetch(`${url}/dev/due`);
	return {url, cwd, env, dueStatus};
}

export const box = (page: Page | FrameLocator) => page.getByRole('textbox', {name: 'Message to'});

export async function openPage(t: ExecutionContext): Promise<Page> {
	t.timeout(400_000);
	const {url} = await house;
	const window = await openWindow(t);
	window.setDefaultTimeout(90_000);
	await window.grantPermissions(['clipboard-read', 'clipboard-write'], {origin: url});
	const page = await window.newPage();
	page.on('pageerror', error => t.fail(String(error)));
	await page.goto(`${url}/#channel/general/tests`);
	await page.getByRole('button', {name: 'Alice'}).click();
	await box(page).waitFor();
	return page;
}

/** Writes to the bot. Resolves with the message's chip, once it says what fits. */
export async function chipOf(page: Page, text: string, says: RegExp) {
	await box(page).fill(`@**Trial** ${text}`);
	await box(page).press('Enter');
	const message = page
		.getByRole('article')
		.filter({hasText: `@Trial ${text}`})
		.last();
	const chip = message.getByRole('button', {name: says});
	await chip.waitFor().catch(async error => {
		const found = await message.getByRole('button', {name: / · /}).allTextContents();
		throw new Error(`Expected "${text}" to get a chip like ${says}, found ${JSON.stringify(found)}`, {cause: error});
	});
	return chip;
}

export const wire = (page: Page) => page.getByRole('tabpanel', {name: 'Wire'});

export async function openTab(page: Page, name: string): Promise<void> {
	await page.getByRole('tab', {name}).click();
}

export async function dev<Answer>(path: string): Promise<Answer> {
	return (await (await fetch(`${(await house).url}/dev${path}`)).json()) as Answer;
}
