// `npm run pictures`: plays a scene on the chat page, and takes the pictures of the README and docs/realm.md. With a folder, also
// writes them there as PNG.

import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {createInterface} from 'node:readline';
import {chromium} from 'playwright-core';
import {animate} from './animate.mjs';
import {findBrowser} from './browser.mjs';

const BOTS = ['dice', 'echo', 'lunch', 'poll', 'remind', 'standup'];
const PARTY = '#channel/general/summer%20party';
const [copies] = process.argv.slice(2);

const folder = await mkdtemp(join(tmpdir(), 'bothy-pictures-'));
const data = join(folder, '.data');
await mkdir(join(folder, 'bots'));
await mkdir(join(folder, 'node_modules'));
await symlink(resolve('.'), join(folder, 'node_modules', 'bothy'));
await writeFile(join(folder, 'package.json'), '{"type": "module"}');
await writeFile(join(folder, 'bothyrc'), '');
await Promise.all(BOTS.map(name => copyFile(`bots/${name}.ts`, join(folder, 'bots', `${name}.ts`))));
const env = {PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', REALM_PORT: '0', BOTHY_DATA: data};
const host = spawn(process.execPath, [resolve('dist/src/cli.js'), 'dev'], {
	cwd: folder,
	env,
	stdio: ['ignore', 'pipe', 'inherit'],
});
const browser = await chromium.launch({executablePath: findBrowser(), args: ['--no-sandbox']});
try {
	const url = await findUrl();
	const page = await openPage(url, {width: 1180, height: 960, deviceScaleFactor: 2});
	await playScene(page, url);
	await save(page, 'chat-page');
	await page.setViewportSize({width: 1280, height: 780});
	await say(page, '@**Echo** good morning');
	await page.getByRole('button', {name: /^Echo · \d+ ms$/}).click();
	await page.getByText(/^Answered 200/).waitFor();
	await rest(page);
	await save(page, 'playground');
	await page.context().close();
	await film(url);
} finally {
	await browser.close();
	host.kill('SIGTERM');
	await once(host, 'exit');
	await rm(folder, {recursive: true});
}

async function findUrl() {
	for await (const line of createInterface(host.stdout)) {
		const [, url] = /Chat page\s+(http:[^\s"]+)/.exec(line) ?? [];
		if (url) {
			host.stdout.resume();
			return url;
		}
	}

	throw new Error('bothy dev ended');
}

async function openPage(url, {deviceScaleFactor = 1, ...viewport}) {
	const page = await browser.newPage({viewport, deviceScaleFactor, locale: 'en-GB'});
	page.setDefaultTimeout(120_000);
	await page.goto(`${url}/${PARTY}`);
	await page.getByRole('button', {name: 'Alice'}).click();
	await box(page).waitFor();
	return page;
}

function box(page) {
	return page.getByRole('textbox', {name: 'Message to'});
}

async function say(page, text) {
	await box(page).fill(text);
	await box(page).press('Enter');
}

/** What people and bots write, react and attach. */
async function playScene(page, url) {
	const [adam, bob, carla] = await Promise.all(['adam', 'bob', 'carla'].map(name => signIn(url, name)));
	const alice = await signIn(url, 'alice');
	// The first call of a bot is slower.
	for (const name of ['echo', 'poll', 'remind']) {
		await adam('/messages', {type: 'direct', to: JSON.stringify([`${name}-bot@bothy.example`]), content: 'help'});
	}

	await carla('/users/me/presence', {status: 'active', ping_only: true});
	await bob('/users/me/status', {status_text: 'at the lake'});
	const {id: plan} = await bob.say('On Friday we celebrate at the lake. Who comes?');
	await Promise.all([alice, carla].map(person => person(`/messages/${plan}/reactions`, {emoji_name: 'grinning'})));
	const files = [
		await carla.upload('lake.png', await paintLake()),
		await carla.upload('bus.txt', 'Line 7, every 20 minutes'),
	];
	const {id: picture} = await carla.say(`I do! ${files[0]} The bus: ${files[1]}`);
	await bob(`/messages/${picture}/reactions`, {emoji_name: 'heart'});
	await say(page, '@**Poll** ask "What do we eat?" pizza, salad, cake');
	await page.getByRole('button', {name: 'salad'}).click();
	await page
		.getByRole('article', {name: /^Poll, /})
		.nth(1)
		.waitFor();
	await bob.say('@**Remind** me in 2 hours: buy charcoal');
	await page.getByRole('article', {name: /^Remind, /}).waitFor();
	await page.getByRole('button', {name: /^Remind · \d+ ms$/}).waitFor();
	const {streams} = await bob('/streams', undefined);
	const stream_id = streams.find(({name}) => name === 'general').stream_id;
	const poll = await botOf('poll', url);
	await poll('/typing', {op: 'start', type: 'stream', stream_id, topic: 'summer party'});
	await page.getByText('Poll is typing…').waitFor();
	await rest(page);
}

async function signIn(url, name) {
	const username = `${name}@bothy.example`;
	const answer = await call(url, {}, '/dev_fetch_api_key', {username});
	return personOf(url, username, answer.api_key);
}

async function botOf(name, url) {
	const config = await readFile(join(data, 'realm.bothyrc'), 'utf8');
	const [, email, key] = new RegExp(`\\[${name}\\]\nemail = (.*)\nkey = (.*)`).exec(config);
	return personOf(url, email, key);
}

function personOf(url, email, key) {
	const headers = {authorization: `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`};
	return Object.assign((path, fields) => call(url, headers, path, fields), {
		say: content => call(url, headers, '/messages', {type: 'stream', to: 'general', topic: 'summer party', content}),
		async upload(name, content) {
			const body = new FormData();
			body.append('file', new File([content], name));
			const response = await fetch(`${url}/api/v1/user_uploads`, {method: 'POST', headers, body});
			return `[${name}](${(await response.json()).url})`;
		},
	});
}

async function call(url, headers, path, fields) {
	const body = fields && new URLSearchParams(fields);
	const response = await fetch(`${url}/api/v1${path}`, {method: body ? 'POST' : 'GET', headers, body});
	const answer = await response.json();
	if (!response.ok) {
		throw new Error(`${path}: ${answer.msg}`);
	}

	return answer;
}

/** A lake at sunset, as PNG. */
async function paintLake() {
	const page = await browser.newPage({viewport: {width: 420, height: 160}});
	await page.setContent(`<body style="margin:0;height:100vh;background:
		radial-gradient(circle at 70% 42%,#fff3c4 0 5%,#ffd27f66 9%,transparent 26%),
		conic-gradient(from -49deg at 30% 22%,transparent 0 154deg,#3b4a6b 154deg 304deg,transparent 0) 0 0/100% 50% no-repeat,
		linear-gradient(#6d7fb3,#f3a183 50%,#49658f 50%,#1f3554)">`);
	const picture = await page.screenshot();
	await page.close();
	return picture;
}

/** Nothing is hovered, focused or still moving. */
async function rest(page) {
	await page.mouse.move(800, 64);
	await page.evaluate(() => document.activeElement.blur());
	await page.waitForTimeout(500);
}

async function save(page, name) {
	const frame = await page.screenshot();
	await writeFile(`docs/${name}.webp`, await toWebp(frame, 0.85));
	await copy(name, frame);
}

async function copy(name, png) {
	if (copies) {
		await writeFile(join(copies, `${name}.png`), png);
	}
}

/** A mention, its wire, and a fault. */
async function film(url) {
	const page = await openPage(url, {width: 1240, height: 680});
	await page.goto(`${url}/#channel/general/first%20bot`);
	await page.getByRole('heading', {name: 'first bot'}).waitFor();
	const frames = [];
	const frame = async ms => {
		const png = await page.screenshot();
		await copy(`film-${frames.length}`, png);
		frames.push({webp: await toWebp(png, 0.75), ms});
	};
	await rest(page);
	await frame(1_200);
	await box(page).click();
	const text = '@**Echo** hello';
	for (const part of ['@**Ec', '@**Echo** he', text]) {
		await box(page).fill(part);
		await frame(350);
	}

	await box(page).press('Enter');
	const chip = page.getByRole('button', {name: /^Echo · (posted after )?[\d.]+ m?s$/});
	await chip.waitFor();
	await rest(page);
	await frame(1_500);
	await chip.click();
	await page.getByText(/^Answered 200/).waitFor();
	await rest(page);
	await frame(3_000);
	await page.getByRole('tab', {name: 'Faults'}).click();
	await page.getByRole('button', {name: 'Break before the answer'}).click();
	await page.getByRole('listitem').getByRole('button', {name: 'Cancel'}).waitFor();
	await rest(page);
	await frame(2_500);
	await say(page, text);
	await chip.nth(1).waitFor();
	await rest(page);
	await chip.nth(1).click();
	await page.getByText('attempt 2').waitFor();
	await rest(page);
	await frame(1_500);
	await page.getByText('attempt 2').scrollIntoViewIfNeeded();
	await rest(page);
	await frame(3_500);
	await writeFile('docs/playground-film.webp', animate(frames, {width: 1240, height: 680}));
	await page.context().close();
}

/** Encoded by the browser. */
async function toWebp(png, quality) {
	const page = await browser.newPage();
	const base64 = await page.evaluate(
		async ({source, quality}) => {
			const image = new Image();
			image.src = `data:image/png;base64,${source}`;
			await image.decode();
			const canvas = Object.assign(document.createElement('canvas'), {width: image.width, height: image.height});
			canvas.getContext('2d', {alpha: false}).drawImage(image, 0, 0);
			return canvas.toDataURL('image/webp', quality).split(',')[1];
		},
		{source: png.toString('base64'), quality},
	);
	await page.close();
	return Buffer.from(base64, 'base64');
}
