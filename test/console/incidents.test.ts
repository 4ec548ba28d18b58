// Ten incidents on the page. An operator reads each cause within two clicks, and acts; what came of it is looked up at the service
// or in Redis, not on the page.

import {readFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import type {ExecutionContext} from 'ava';
import type {Page} from 'playwright-core';
import {createRedisStore} from '../../src/delivery/redis-store.js';
import {createOutboxStore} from '../../src/outbox/store.js';
import {accountKey} from '../../src/redis/account-key.js';
import {browserTest, openWindow} from '../helpers/browser.js';
import {fileScope} from '../helpers/file-scope.js';
import {startRedis} from '../helpers/redis.js';
import {until, untilFound} from '../helpers/until.js';
import {signInByApi, signInOnPage} from './console-kit.js';
import {CAUSES, type Scene, stageIncidents} from './incidents-kit.js';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const scope = fileScope('the staged incidents');

let staged: Promise<Scene> | undefined;

function stage(): Promise<Scene> {
	staged ??= startRedis(scope).then(url => stageIncidents(scope, url));
	return staged;
}

/** A page of the console, signed in. Errors in its scripts fail the test. */
async function open(t: ExecutionContext, path = '/') {
	const scene = await stage();
	const window = await openWindow(t);
	const [name = '', value = ''] = (await signInByApi(scene.url)).split('=');
	await window.addCookies([{name, value, url: scene.url}]);
	const page = await window.newPage();
	page.on('pageerror', error => t.fail(String(error)));
	await page.goto(`${scene.url}${path}`);

	return {scene, page};
}

/** The line of an account with this cause. */
function line(page: Page, about: string, cause: RegExp) {
	return page.getByRole('listitem').filter({hasText: about}).filter({hasText: cause});
}

browserTest('nine incidents: the first screen says the cause of each, and offers one action', async t => {
	const {page, scene} = await open(t);

	for (const [title, about, cause] of CAUSES) {
		const found = line(page, about, cause);
		await found.waitFor();
		t.is(await found.getByRole('button').or(found.getByRole('link')).count(), 1, title);
	}

	await line(page, 'echo', /wrong token/)
		.getByRole('link', {name: 'Show health'})
		.click();
	await page.getByRole('row').filter({hasText: 'echo-bot@'}).getByText('1 with a wrong token').waitFor();

	await page.goto(scene.url);
	await line(page, 'echo', /three times/)
		.getByRole('link', {name: 'Open delivery'})
		.click();
	await page.getByText('The delivery ended its process three times.').waitFor();
});

browserTest('no worker: the first screen says so, with the command that starts one', async t => {
	const {unmanned} = await stage();
	const page = await (await openWindow(t)).newPage();
	await signInOnPage(page, unmanned.url);

	await line(page, 'Workers', /none posts messages.*bothy worker/s).waitFor();
	await line(page, 'Sweep', /no worker has ever swept/).waitFor();
	t.is(await page.getByText('Nothing needs attention').count(), 0);
});

browserTest('a throwing bot: one click leads to the stack', async t => {
	const {page} = await open(t);

	await line(page, 'cheese', /RangeError/)
		.getByRole('link', {name: 'Open delivery'})
		.click();

	await page
		.getByLabel('Error')
		.getByText(/RangeError: out of gouda\s+at .*cheese\.mjs/)
		.waitFor();
	t.is(new URL(page.url()).searchParams.get('status'), 'failed');
});

browserTest('a pasted reference leads to the stack in one step, also after a reload', async t => {
	const {page, scene} = await open(t, '/?view=deliveries');

	await page.getByPlaceholder(/Reference/).fill(scene.reference);
	await page.keyboard.press('Enter');
	await page.getByLabel('Error').getByText('RangeError: out of gouda').waitFor();

	await page.reload();
	await page.getByLabel('Error').getByText('RangeError: out of gouda').waitFor();
	t.is(new URL(page.url()).searchParams.get('q'), scene.reference);
});

browserTest('deliveries are found by message id, person, and text; status and time narrow the list', async t => {
	const {page, scene} = await open(t);
	const found = async (query: string) => {
		await page.goto(`${scene.url}/?view=deliveries&${query}`);
		await page.locator('.rows, .list > .quiet').first().waitFor();
		return page.locator('.rows tbody tr').count();
	};

	t.is(await found('q=9002'), 1);
	t.is(await found('q=ALICE%20%3Cb'), 5);
	t.is(await found('q=a%20private%20matter'), 1);
	t.is(await found('status=parked'), 1);
	t.is(await found('status=failed&q=gouda'), 1);
	t.is(await found(`range=custom&until=${Date.now() - 3_600_000}`), 0);
	t.is(await found('q=nobody%20wrote%20this'), 0);
});

browserTest('a refresh keeps what somebody types and picks, and a damaged URL shows the screen', async t => {
	const {page, scene} = await open(t, '/?view=deliveries&range=custom&since=yesterday&until=9e99');
	const search = page.getByPlaceholder(/Reference/);
	const from = page.getByLabel('from', {exact: true});
	await page.locator('.rows').waitFor();

	await search.fill('half a refer');
	await from.fill('2026-01-02T03:04:05');
	const refreshed = () => page.waitForResponse(/api.deliveries/);
	await refreshed();
	await refreshed();
	t.deepEqual([await search.inputValue(), await from.inputValue()], ['half a refer', '2026-01-02T03:04:05']);
	await search.press('Enter');
	await page.getByText('No deliveries match').waitFor();
	t.is(await page.evaluate('document.activeElement.name'), 'q');

	await page.goto(`${scene.url}/?view=constructor&range=constructor`);
	await page.getByRole('heading', {name: 'Needs attention'}).waitFor();
});

browserTest('a dry run posts and stores nothing; a replay is a delivery of its own', async t => {
	const {page, scene} = await open(t);
	const {redis, house, tag} = scene;
	const store = createRedisStore(redis);
	const [original] = await store.list(tag('cheese'), {since: 0, limit: 1});
	const ref = original?.ref ?? {account: '', id: ''};
	const said = house.said().length;
	await page.goto(`${scene.url}/?view=deliveries&of=${encodeURIComponent(ref.account)}&id=${ref.id}`);

	await page.getByRole('button', {name: 'Dry run'}).click();
	await page
		.getByText(/Would reply: Sorry|Failed: .*RangeError/)
		.first()
		.waitFor();
	t.is(await store.read({...ref, id: `${ref.id}-r1`}), undefined);
	t.is(house.said().length, said);

	await page.getByRole('button', {name: 'Replay', exact: true}).click();
	await page.getByText('Replayed as').waitFor();
	const replayed = await untilFound(async () => (await store.read({...ref, id: `${ref.id}-r1`}))?.error);
	t.regex(replayed, /RangeError: out of gouda/);
});

browserTest('sends: post again posts at the service, resolve and cancel change Redis', async t => {
	const {page, scene} = await open(t);
	const outboxes = createOutboxStore(scene.redis);
	const cases = [
		['failed no such channel', 'Post again send 1', /^sent [1-9]/],
		['unknown', 'Resolve as sent send 1', /^sent 0$/],
		['waiting', 'Cancel send 1', /^cancelled$/],
	] as const;
	for (const [index, [state, button, after]] of cases.entries()) {
		const ref = await scene.stageSend('echo', 9201 + index, state);
		await page.goto(`${scene.url}/?view=deliveries&of=${encodeURIComponent(ref.account)}&id=${ref.id}`);
		await page.getByRole('button', {name: button}).click();
		if (state === 'waiting') {
			await page.getByRole('button', {name: 'Cancel for good send 1'}).click();
		}

		await until(async () => after.test((await outboxes.readEntry({ref, n: 1}))?.state ?? ''));
	}

	t.deepEqual(
		scene.house.said().filter(text => text.startsWith('post of 920')),
		['post of 9201'],
	);
});

browserTest('a bot is resumed, held and paused on all hosts', async t => {
	const {page, scene} = await open(t);
	const rule = async () => scene.redis.hget('{bothy}:paused', scene.tag('remind'));

	await line(page, 'remind', /paused it/)
		.getByRole('button', {name: 'Resume'})
		.click();
	await until(async () => (await rule()) === null);
	await page.getByRole('link', {name: 'Health', exact: true}).click();
	await page.getByRole('button', {name: 'Hold messages to remind'}).click();
	await until(async () => JSON.parse((await rule()) ?? '{}').v === 1);
	t.is(JSON.parse((await rule()) ?? '{}').text, undefined);
	await page.getByRole('button', {name: 'Resume remind'}).click();
	await page.getByRole('button', {name: 'Pause remind'}).click();
	await until(async () => typeof JSON.parse((await rule()) ?? '{}').text === 'string');
});

browserTest('a cron runs now at the service, and a schedule is cancelled', async t => {
	const {page, scene} = await open(t);
	const {redis, house, alice, tag} = scene;
	await alice.dm('cheese', 'later');
	const named = () => redis.hexists(accountKey(redis, tag('cheese'), 'schedules'), 'cheddar');
	await until(async () => (await named()) === 1);

	await line(page, 'echo', /the cron yearly/)
		.getByRole('button', {name: 'Run now yearly'})
		.click();
	await until(() => house.said().includes('Happy new year'));
	await page.getByRole('link', {name: 'Health', exact: true}).click();
	await page.getByRole('button', {name: 'Cancel cheddar'}).click();
	t.is(await named(), 1, 'one press cancels nothing');
	await page.getByRole('button', {name: 'Cancel for good cheddar'}).click();
	await until(async () => (await named()) === 0);
	t.is(house.said().filter(text => text === 'Happy new year').length, 1);
});

browserTest('text is shown after one click, which the audit log records with who and when', async t => {
	const {page, scene} = await open(t);
	const ref = await scene.stageSend('echo', 9301, 'unknown');
	await page.goto(`${scene.url}/?view=deliveries&of=${encodeURIComponent(ref.account)}&id=${ref.id}`);
	await page.getByText('Payload').click();
	await page.getByText('<16 characters>').first().waitFor();
	t.is(await page.getByText('a private matter').count(), 0);

	await page.getByRole('button', {name: /Show text/}).click();
	await page.getByText('a private matter').first().waitFor();

	await page.getByRole('link', {name: 'Needs attention'}).click();
	const row = page.getByRole('row').filter({hasText: 'show text'}).first();
	t.regex((await row.textContent()) ?? '', /\d\d:\d\d:\d\d.*Olga.*127\.0\.0\.1.*show text.*echo 9301-/s);
	t.false(JSON.stringify(await scene.redis.lrange('{bothy}:console-audit', 0, -1)).includes('private'));
});

browserTest('script in a message, a name, a topic and an error stays text', async t => {
	const {page, scene} = await open(t);
	const evil = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
	await scene.alice.ask('cheese', evil);
	await page.goto(`${scene.url}/?view=deliveries&status=failed`);
	await page.locator('.rows').waitFor();

	await page.goto(`${scene.url}/?view=deliveries&q=${encodeURIComponent('<script>')}`);
	await page.getByText('RangeError: out of <img').first().waitFor();
	t.is(await page.locator('main img, main script, main b').count(), 0);
	t.is(await page.title(), 'Deliveries · Bothy console');
});

browserTest(
	'each screen has no violations of axe in either theme, fits 390 pixels, and shows no backticks',
	async t => {
		const {page, scene} = await open(t);
		const [ref] = await createRedisStore(scene.redis).list(scene.tag('cheese'), {since: 0, limit: 1});
		const source = await readFile(axe, 'utf8');
		const of = `of=${encodeURIComponent(ref?.ref.account ?? '')}&id=${ref?.ref.id}`;
		for (const view of ['attention', 'deliveries', `deliveries&${of}`, 'health']) {
			await page.setViewportSize({width: 1280, height: 800});
			await page.goto(`${scene.url}/?view=${view}`);
			await page.locator('table, .timeline').first().waitFor();
			await page.evaluate(source);
			for (const colorScheme of ['light', 'dark'] as const) {
				await page.emulateMedia({colorScheme});
				t.deepEqual(
					await page.evaluate<string[]>(
						'axe.run().then(({violations}) => violations.map(({id, nodes}) => id + nodes.map(({html}) => html)))',
					),
					[],
					`${view} ${colorScheme}`,
				);
			}

			await page.setViewportSize({width: 390, height: 844});
			t.true(await page.evaluate<boolean>('document.documentElement.scrollWidth <= 390'), `${view} at 390 pixels`);
			t.notRegex((await page.locator('main').textContent()) ?? '', /`/, `${view} shows commands as code`);
		}
	},
);

browserTest('the keyboard alone signs in, searches, opens a delivery and closes it', async t => {
	const scene = await stage();
	const page = await (await openWindow(t)).newPage();
	await page.goto(scene.url);
	const press = async (...keys: string[]) => {
		for (const key of keys) {
			await page.keyboard.press(key);
		}
	};
	await page.getByLabel('Your name').waitFor();
	await press('Tab');
	await page.keyboard.type('Olga');
	await press('Tab');
	await page.keyboard.type('a-token-of-operators');
	await press('Enter');
	await page.getByRole('heading', {name: 'Needs attention'}).waitFor();
	await press('Tab', 'Tab', 'Enter');
	await page.getByRole('heading', {name: 'Deliveries'}).waitFor();
	await page.getByPlaceholder(/Reference/).waitFor();
	await press('Tab', 'Tab', 'Tab');
	await page.keyboard.type(scene.reference);
	await press('Enter');
	await page.getByLabel('Error').waitFor();
	await page.waitForFunction('document.activeElement.tagName === "H2"');
	await press('Tab', 'Enter');
	await page.getByLabel('Error').waitFor({state: 'detached'});
	t.regex(page.url(), /closed=/);
});
