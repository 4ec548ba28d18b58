// The console's page without what it needs: Redis, or a session.

import {browserTest, openWindow} from '../helpers/browser.js';
import {openFreezable} from '../helpers/freezable-redis.js';
import {startRedis} from '../helpers/redis.js';
import {until} from '../helpers/until.js';
import {get, post, signInByApi, signInOnPage, startConsole} from './console-kit.js';

const ECHO = {email: 'echo@x', site: 'http://127.0.0.1:9', key: 'k', token: 't'.repeat(32)};
const ACCOUNTS = {BOTHY_CONFIG_JSON: JSON.stringify({echo: ECHO})};

browserTest('while Redis is away, the page says since when and what to do, and it recovers by itself', async t => {
	const REDIS_URL = await startRedis(t);
	const {freeze, thaw} = await openFreezable(t, REDIS_URL);
	const {url} = await startConsole(t, {...ACCOUNTS, REDIS_URL});
	const window = await openWindow(t);
	const page = await window.newPage();
	const alert = page.getByRole('alert');
	await signInOnPage(page, url);
	await page.getByText(/1 account for/).waitFor();

	freeze();
	await alert.getByText(/Redis has not answered since \d\d:\d\d:\d\d/).waitFor();
	t.regex((await alert.textContent()) ?? '', /bothy doctor.*was read at \d\d:\d\d:\d\d, and may have changed/s);
	t.is(await page.locator('main.stale').count(), 1);

	// Not the sign-in, although nobody can look the session up.
	await page.reload();
	await alert.getByText('Redis has not answered since').waitFor();
	t.is(await page.getByLabel('Token').count(), 0);

	thaw();
	await page.getByText(/1 account for/).waitFor();
	t.is(await alert.count(), 0);
	t.is(await page.locator('main.stale').count(), 0);
});

browserTest(
	'a sign-out while Redis is away ends the session in this browser, and says what it could not do',
	async t => {
		const REDIS_URL = await startRedis(t);
		const {freeze, thaw} = await openFreezable(t, REDIS_URL);
		const {url} = await startConsole(t, {...ACCOUNTS, REDIS_URL});
		const window = await openWindow(t);
		const page = await window.newPage();
		await signInOnPage(page, url);

		freeze();
		await page.getByRole('button', {name: 'Sign out'}).click();
		await page.getByText('This browser is signed out. Redis does not answer').waitFor();
		t.deepEqual(await window.cookies(), []);
		const response = await post(url, 'sign-in', {body: {who: 'Olga', token: 'a-token-of-operators'}});
		t.is(response.status, 503);
		t.is(response.headers.get('set-cookie'), null, 'no session that the audit log does not have');

		thaw();
		await until(async () => (await signInByApi(url)) !== '');
	},
);

browserTest('an operator who signs out elsewhere is signed out here too', async t => {
	const {url} = await startConsole(t, {...ACCOUNTS, REDIS_URL: await startRedis(t)});
	const page = await (await openWindow(t)).newPage();
	await signInOnPage(page, url);
	const [cookie] = await page.context().cookies();
	await post(url, 'sign-out', {cookie: `${cookie?.name}=${cookie?.value}`});

	await page.getByText('Your session has ended').waitFor();
	t.is((await get(url, 'attention', await signInByApi(url))).status, 200);
});
