import http from 'node:http';
import test from 'ava';
import type {Page} from 'playwright-core';
import {seriousViolations} from '../../helpers/axe.js';
import {browserTest} from '../../helpers/browser.js';
import {cause, openRealm} from '../realm-kit.js';
import {box, message, say, startChat} from './page-kit.js';

test('the page allows its own script file and one script by its hash, no others', async t => {
	const realm = await openRealm(t);

	const response = await fetch(realm.url);

	const policy = response.headers.get('content-security-policy') ?? '';
	t.regex(policy, /default-src 'none'/);
	t.regex(policy, /script-src 'self' 'sha256-[\w+/]{43}='(;|$)/);
	t.notRegex(policy, /unsafe/);
	t.is(response.headers.get('x-content-type-options'), 'nosniff');
	const scripts = (await response.text()).match(/<script[^>]*>/g);
	t.deepEqual(scripts, ['<script>', '<script type="module" src="/page/app.js">']);
});

test('a file of the page is sent again only after it changed', async t => {
	const realm = await openRealm(t);
	const first = await fetch(`${realm.url}/page/app.js`);

	// As a browser asks on reload; `fetch` would add `no-cache`, which forbids a 304.
	const headers = {'if-none-match': first.headers.get('etag') ?? '', 'cache-control': 'max-age=0'};
	const second = await fetch(`${realm.url}/page/app.js`, {headers});

	t.is(first.headers.get('cache-control'), 'no-cache');
	t.is(second.status, 304);
});

test('only files of the page are served, for any path', async t => {
	const realm = await openRealm(t);

	for (const path of [
		'/page/../page.ts',
		'/page/..%2Fpage.ts',
		'/page/%2e%2e/%2e%2e/package.json',
		'/page/index.html',
		'/page/frame/sign-in.js',
		'/page/',
	]) {
		// `fetch` would tidy the path up.
		const status = await new Promise(resolve => {
			http.get({host: '127.0.0.1', port: realm.port, path}, response => resolve(response.resume().statusCode));
		});
		t.is(status, 404, path);
	}
});

browserTest('a bot answers without a reload, to a mention in a channel and to a direct message', async t => {
	const {signIn} = await startChat(t);
	const page = await signIn('Alice');
	await page.getByText('Welcome!').waitFor();

	await box(page).pressSequentially('@ec');
	await page.getByRole('option', {name: 'Echo'}).waitFor();
	await box(page).press('Enter');
	await box(page).pressSequentially('hello');
	await box(page).press('Enter');
	await message(page, {from: 'Echo', text: 'You said: @**Echo** hello'}).waitFor();
	t.is(await message(page, {from: 'Alice Ahn', text: '@Echo hello'}).count(), 1);

	await page.getByRole('navigation').getByRole('link', {name: 'Echo'}).click();
	await page.getByRole('heading', {name: 'Echo'}).waitFor();
	await page.getByRole('button', {name: 'hello', exact: true}).click();
	await box(page).press('Enter');
	await message(page, {from: 'Echo', text: 'You said: hello'}).waitFor();
	t.is(new URL(page.url()).hash, '#dm/21');
});

browserTest('two people in two tabs read each other, and what is unread is counted', async t => {
	const {signIn} = await startChat(t);
	const alice = await signIn('Alice', '#channel/general/lunch');
	const bob = await signIn('Bob', '#channel/lunch');
	await bob.getByRole('heading', {name: '#lunch'}).waitFor();

	await say(alice, 'shall we eat?');
	await bob.getByRole('link', {name: 'lunch 1 unread'}).click();
	await message(bob, {from: 'Alice Ahn', text: 'shall we eat?'}).waitFor();
	await say(bob, 'soup!');
	await message(alice, {from: 'Bob Birk', text: 'soup!'}).waitFor();

	await bob.reload();
	await message(bob, {from: 'Alice Ahn', text: 'shall we eat?'}).waitFor();
	await bob.getByText('unread').first().waitFor({state: 'detached'});
	t.is(await bob.getByText('unread').count(), 0);
	await bob.goBack();
	await bob.getByRole('heading', {name: '#lunch'}).waitFor();
});

browserTest('the page of a realm that plays the oldest level writes in a channel and reads it', async t => {
	const {signIn} = await startChat(t, {featureLevel: 168});
	const alice = await signIn('Alice', '#channel/general/lunch');

	await say(alice, 'shall we eat?');

	await message(alice, {from: 'Alice Ahn', text: 'shall we eat?'}).waitFor();
	await alice.reload();
	await message(alice, {from: 'Alice Ahn', text: 'shall we eat?'}).waitFor();
	t.is(await alice.getByRole('alert').count(), 0);
});

browserTest('a message that was not sent keeps its text, and can be discarded or sent again', async t => {
	const {realm, signIn} = await startChat(t);
	const page = await signIn('Alice', '#channel/announcements/news');

	await say(page, 'a great day');
	const refused = page.getByRole('article').filter({hasText: 'a great day'});
	await refused.getByText('Not sent: You do not have permission to post in this channel.').waitFor();
	await refused.getByRole('button', {name: 'Discard'}).click();
	await refused.waitFor({state: 'detached'});
	t.is(await page.getByText('a great day').count(), 0);

	await page.goto(`${realm.url}/#channel/general/again`);
	await page.getByRole('heading', {name: 'again'}).waitFor();
	await page.route('**/api/v1/messages', route => route.abort(), {times: 1});
	await say(page, 'anybody?');
	await page.getByText('Not sent: The realm does not answer').waitFor();
	await page.getByRole('button', {name: 'Try again'}).click();
	await page.getByText('Not sent').waitFor({state: 'detached'});
	await page.locator('.message:not(.pending)', {hasText: 'anybody?'}).waitFor();
	t.is(await page.locator('.message', {hasText: 'anybody?'}).count(), 1);
});

browserTest('a lost event queue is replaced, and what came meanwhile is shown', async t => {
	const {realm, signIn, bob} = await startChat(t);
	const page = await signIn('Alice', '#channel/general/lost');
	const place = {channel: 'general', topic: 'lost'};

	// Nothing of the new queue arrives before Bob has written.
	let letThrough = () => {};
	const held = new Promise<void>(resolve => {
		letThrough = resolve;
	});
	await page.route('**/api/v1/register', async route => {
		await held;
		await route.continue();
	});
	const [expired] = await Promise.all([
		cause(realm, '/expire-queue', {account: 'alice@bothy.example'}),
		page.waitForRequest('**/api/v1/register'),
	]);
	await bob.say(place, 'did you miss this?');
	letThrough();

	t.is(expired.body.expired, 1);
	await message(page, {from: 'Bob Birk', text: 'did you miss this?'}).waitFor();
	await bob.say(place, 'and this?');
	await message(page, {from: 'Bob Birk', text: 'and this?'}).waitFor();
});

browserTest('a lost connection is told, and found again', async t => {
	const {signIn} = await startChat(t);
	const page = await signIn('Alice', '#channel/general/welcome');
	await page.getByText('Welcome!').waitFor();

	// The poll that is held already brings the first message; the next one fails.
	await page.route('**/api/v1/events?*', route => route.abort());
	await say(page, 'first');
	await page.getByText('Connection lost. Reconnecting…').waitFor();
	await say(page, 'second');
	await page.unroute('**/api/v1/events?*');

	await page.getByText('Connection lost').waitFor({state: 'detached'});
	await page.locator('.message:not(.pending)', {hasText: 'second'}).waitFor();
	t.is(await page.locator('.message', {hasText: 'second'}).count(), 1);
});

browserTest('axe finds nothing serious on the page, light and dark', async t => {
	const {realm, signIn, newPage} = await startChat(t);
	const check = async (page: Page, where: string) => {
		for (const colorScheme of ['light', 'dark'] as const) {
			await page.emulateMedia({colorScheme});
			t.deepEqual(await seriousViolations(page), [], `${where}, ${colorScheme}`);
		}
	};

	const door = await newPage();
	await door.goto(realm.url);
	await door.getByRole('button', {name: 'Alice'}).waitFor();
	await check(door, 'the door');

	const page = await signIn('Alice', '#channel/general/welcome');
	await say(page, '@**Echo** hello, @**Alice Ahn**');
	await message(page, {from: 'Echo', text: 'You said'}).waitFor();
	await box(page).pressSequentially('@');
	await page.getByRole('listbox').waitFor();
	await check(page, 'a topic');

	await page.setViewportSize({width: 400, height: 700});
	await page.getByRole('button', {name: 'Conversations'}).click();
	await page.getByRole('navigation').waitFor();
	await check(page, 'the conversations on a narrow screen');
});
