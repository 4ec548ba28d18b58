import type {Page} from 'playwright-core';
import {browserTest} from '../../helpers/browser.js';
import {basic} from '../realm-kit.js';
import {message, startChat} from './page-kit.js';

browserTest('the login comes with a few small requests, and a chat after a reload with one round of them', async t => {
	const {realm, newPage, alice} = await startChat(t);
	const page = await newPage();
	const requests: string[] = [];
	page.on('requestfinished', request => requests.push(new URL(request.url()).pathname));

	await page.goto(realm.url);
	await page.getByRole('button', {name: 'Alice'}).waitFor();
	t.deepEqual(
		new Set(requests.filter(path => path !== '/page/icon.svg')),
		new Set(['/', '/page/app.css', '/page/app.js', '/api/v1/dev_list_users']),
	);
	const script = await fetch(`${realm.url}/page/app.js`);
	t.is(script.headers.get('content-encoding'), 'gzip');
	t.true(Number(script.headers.get('content-length')) < 60_000, 'at 50 KB/s, the script takes about a second');
	const people = await fetch(`${realm.url}/api/v1/users`, {headers: basic(alice.email, alice.key)});
	t.is(people.headers.get('content-encoding'), 'gzip');

	await page.getByRole('button', {name: 'Alice'}).click();
	await page.getByText('Welcome!').waitFor();
	const order: string[] = [];
	page.on('request', request => order.push(new URL(request.url()).pathname));
	page.on('response', response => order.push(`answer to ${new URL(response.url()).pathname}`));
	// The document itself signs in. Otherwise the script would never come.
	const signsIn = page.waitForRequest('**/api/v1/dev_fetch_api_key');
	await page.route('**/page/app.js', async route => {
		await signsIn;
		await route.continue();
	});
	await page.reload();
	await page.getByText('Welcome!').waitFor();
	t.true(order.indexOf('/api/v1/messages') < order.indexOf('answer to /api/v1/register'), 'waits for no other answer');
	t.is(order.filter(path => path === '/api/v1/dev_fetch_api_key').length, 1);
});

browserTest('of 450 messages, the page never holds more than 300', async t => {
	const {signIn, alice} = await startChat(t);
	for (let number = 1; number <= 450; number++) {
		await alice.say({channel: 'general', topic: 'many'}, `number ${number}.`);
	}

	const page = await signIn('Bob', '#channel/general/many');
	await numbered(page, 450).waitFor();
	for (const first of [301, 201, 101, 1]) {
		await page.getByRole('button', {name: 'Show older messages'}).click();
		await numbered(page, first).waitFor({state: 'attached'});
		t.true((await countArticles(page)) <= 300);
	}

	await numbered(page, 450).waitFor({state: 'detached'});
	await alice.say({channel: 'general', topic: 'many'}, 'number 451.');
	await page.getByRole('button', {name: 'Newest'}).click();
	await numbered(page, 451).waitFor();
	t.true((await countArticles(page)) <= 300);
});

browserTest('8,000 hostile texts, and hostile names of channels, topics and files, run no script', async t => {
	const {signIn, alice, newPage} = await startChat(t);
	const texts = hostileTexts();
	t.is(texts.length, 8000);
	const topics = ['<img src=x onerror=ran()>', '"><script>ran()</script>'];
	const perMessage = 80;
	const made = await alice.post('/users/me/subscriptions', {subscriptions: [{name: `${topics[0]} room`}]});
	t.is(made.status, 200);
	await alice.post('/users/me/status', {status_text: topics[1]});
	for (let start = 0; start < texts.length; start += perMessage) {
		const topic = topics[(start / perMessage) % 2] ?? '';
		await alice.say({channel: 'general', topic}, texts.slice(start, start + perMessage).join('\n\n'));
	}

	const visitor = await newPage();
	await visitor.context().addInitScript(WATCH);
	await visitor.close();
	const page = await signIn('Bob', `#channel/general/${encodeURIComponent(topics[0] ?? '')}`);
	for (const topic of topics) {
		await page.getByRole('link', {name: topic, exact: true}).first().click();
		await page.locator('.place h2', {hasText: topic}).waitFor();
		await page.locator('.message').nth(49).waitFor();
	}

	await page.getByLabel('Files to attach').setInputFiles({
		name: '<img src=x onerror=ran()>].svg',
		mimeType: 'image/svg+xml',
		buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="ran()"/>'),
	});
	await page.locator('#compose').and(page.locator(':not(:placeholder-shown)')).waitFor();
	await page.locator('#compose').press('Enter');
	await message(page, {from: 'Bob Birk', text: 'svg'}).locator('a.file').waitFor();
	t.deepEqual(await page.evaluate('hostile'), []);
	t.is(
		await page.locator('.content :is(script, iframe, object, embed, form, style, base, meta, link, svg)').count(),
		0,
	);
	t.is(await page.locator('.content [href^="javascript:" i], .content [onerror], .content [onclick]').count(), 0);

	const blocked = await page.evaluate(
		`new Promise(resolve => {
			document.addEventListener('securitypolicyviolation', event => resolve(event.effectiveDirective));
			document.querySelector('.content').innerHTML = '<button onclick="ran()"></button>';
			document.querySelector('.content button').click();
		})`,
	);
	t.is(blocked, 'script-src-attr', 'a script that got into a message would not run');
});

function numbered(page: Page, number: number) {
	return page.locator('.content', {hasText: new RegExp(`^number ${number}\\.$`)});
}

function countArticles(page: Page): Promise<number> {
	return page.locator('.messages article').count();
}

/** Notes scripts that ran, and those that the policy stopped. */
const WATCH = `
	window.hostile = [];
	window.ran = () => hostile.push('ran');
	document.addEventListener('securitypolicyviolation', event => {
		if (event.effectiveDirective.startsWith('script')) {
			hostile.push(event.effectiveDirective + ' ' + event.sample);
		}
	});
`;

const seeds = [
	'<script>ran()</script>',
	'<img src=x onerror=ran()>',
	'<svg onload=ran()>',
	'<svg><script>ran()</script></svg>',
	'<iframe srcdoc="<script>parent.ran()</script>">',
	'<a href="javascript:ran()">x</a>',
	'[x](javascript:ran())',
	'[x](JaVaScRiPt:ran())',
	'[x](data:text/html,<script>ran()</script>)',
	'[x](https://a.example/"onmouseover="ran())',
	'![x](x"onerror="ran())',
	'<details open ontoggle=ran()>',
	'<math><mi xlink:href="javascript:ran()">',
	'<body onload=ran()>',
	'<style>@import "javascript:ran()"</style>',
	'<base href="javascript:">',
	'https://a.example/x.png"onerror=ran()',
	'/user_uploads/1/aa/x.png"onerror="ran()',
	'<time:"><script>ran()</script>>',
	'@**<img src=x onerror=ran()>**',
	'#**general><img src=x onerror=ran()>**',
	':<img src=x onerror=ran()>:',
	'`<script>ran()</script>`',
	'$$<script>ran()</script>$$',
	'**<img src=x onerror=ran()>**',
];

const wrappers = ['S', '> S', '* S', '**S**', '`S', '[S](https://a.example)', '[a](S)', '# S', '| S |', '~~S~~'];
const twists = ['S', '\u202ES', '\u0000S', 'S\u200D', '&lt;S', '%3CS', 'S-->', ']]>S', '"S', "'S"];

/** 25 seeds, each in 32 disguises, each 10 times with a twist. */
function hostileTexts(): string[] {
	const disguises = wrappers.flatMap(wrapper => [wrapper, wrapper.toUpperCase(), `${wrapper} S`]).concat('S\tS', 'SS');
	return seeds.flatMap(seed =>
		disguises.flatMap(disguise =>
			twists.map(twist =>
				disguise.replaceAll('S', () => twist.replaceAll('S', () => seed)).replaceAll('\u0000', '\u0001'),
			),
		),
	);
}
