// The console beside `bothy web`, with real processes: what they do is what the page says.

import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {Page} from 'playwright-core';
import {dataFolder, signIn, startCommand} from '../helpers/bothy.js';
import {browserTest, openWindow} from '../helpers/browser.js';
import {openRealm} from '../helpers/realm.js';
import {startRedis} from '../helpers/redis.js';

const FACE = fileURLToPath(new URL('../../src/index.js', import.meta.url));

const BOTS: Readonly<Record<string, string>> = {
	quick: 'await ctx.reply(ctx.text)',
	slow: 'await new Promise(resolve => setTimeout(resolve, 8_100)); await ctx.reply("at last")',
};

const FIRST = 'the-first-token-of-operators';
const SECOND = 'the-second-token-of-operators';

async function signInWith(page: Page, token: string): Promise<void> {
	await page.getByLabel('Your name').fill('Olga');
	await page.getByLabel('Token').fill(token);
	await page.getByRole('button', {name: 'Sign in'}).click();
}

browserTest(
	'beside web: SIGHUP gives the page new bots and a new token, and it names a slow bot and a stopped worker',
	async t => {
		t.timeout(180_000);
		const folder = await dataFolder(t);
		const realm = await openRealm(t, {rateLimit: false});
		const ensure = (url: string) =>
			Object.keys(BOTS).map(name => realm.ensureBot({name, fullName: name, payloadUrl: `${url}/webhook`}));
		const accounts = ensure('http://127.0.0.1:9');
		const sections = accounts.map(({name, email, key, site, token}) => [name, {email, key, site, token}] as const);
		for (const [name, handler] of Object.entries(BOTS)) {
			const code = `import {bot} from ${JSON.stringify(FACE)};
			export default bot({about: 'x'}).on('direct_message', async ctx => { ${handler} });`;
			await writeFile(join(folder, `${name}.mjs`), code);
		}

		const config = join(folder, 'bothyrc');
		const tokenFile = join(folder, 'console-token');
		const configure = (count: number) =>
			writeFile(
				config,
				sections
					.slice(0, count)
					.map(
						([name, fields]) =>
							`[${name}]\n${Object.entries(fields)
								.map(([key, value]) => `${key} = ${value}`)
								.join('\n')}\n`,
					)
					.join('\n'),
			);
		await configure(1);
		await writeFile(tokenFile, FIRST);
		const env = {
			BOTHY_CONFIG: config,
			BOTHY_BOTS: folder,
			BOTHY_DATA: folder,
			REDIS_URL: await startRedis(t),
			ADMIN_TOKEN_FILE: tokenFile,
			CONSOLE_PORT: '0',
			PORT: '0',
			WEB_CONCURRENCY: '1',
			LOG_LEVEL: 'info',
		};
		const web = await startCommand(t, 'web', {env, ready: /Receiver\s+(http:\S+)\/webhook/});
		const worker = await startCommand(t, 'worker', {env, ready: /(Worker)/});
		ensure(web.found);
		const url = await web.find(/Console\s+(http:\S+)/);
		const page = await (await openWindow(t)).newPage();
		const line = (about: string, cause: RegExp) =>
			page.getByRole('listitem').filter({hasText: about}).filter({hasText: cause});
		await page.goto(url);
		await signInWith(page, FIRST);

		const alice = await signIn(t, realm.url, 'alice@bothy.example');
		const tell = (name: string) => {
			const to = [accounts.find(account => account.name === name)?.userId ?? 0];
			return alice.sendMessage({type: 'direct', to, content: 'go'});
		};
		await page.getByRole('link', {name: 'Health', exact: true}).click();
		await page.getByRole('button', {name: 'Pause quick'}).waitFor();
		t.is(await page.getByRole('button', {name: 'Pause slow'}).count(), 0);

		await configure(2);
		await writeFile(tokenFile, SECOND);
		web.process.kill('SIGHUP');
		await page.getByText('Your session has ended').waitFor();
		await signInWith(page, FIRST);
		await page.getByRole('alert').getByText('This is not the token').waitFor();
		await signInWith(page, SECOND);
		await page.getByRole('button', {name: 'Pause slow'}).waitFor();
		await web.find(/"msg":"(reloaded)"/);

		await Promise.all([tell('slow'), tell('slow'), tell('slow')]);
		await page.getByRole('link', {name: 'Needs attention'}).click();
		await line('slow', /3 of the latest 3 deliveries took longer than/).waitFor({timeout: 60_000});
		t.is(await line('Workers', /none posts messages/).count(), 0);
		worker.process.kill('SIGTERM');
		await line('Workers', /none posts messages.*bothy worker/s).waitFor();
		t.is(await page.getByText('Nothing needs attention').count(), 0);
	},
);
