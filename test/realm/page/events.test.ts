import type {Page} from 'playwright-core';
import {browserTest} from '../../helpers/browser.js';
import {until} from '../../helpers/until.js';
import {basic, type Caller, callAsBot, databaseFile, ECHO, openChat} from '../realm-kit.js';
import {box, message, say, startChat} from './page-kit.js';

const place = {channel: 'general', topic: 'bots'};

browserTest(
	'what a bot does with messages is on the page at once: it reacts, types, streams, edits, deletes, uploads',
	async t => {
		const {realm, signIn, alice} = await startChat(t);
		const bot = callAsBot(realm, realm.ensureBot(ECHO));
		const page = await signIn('Alice', '#channel/general/bots');
		const asked = await alice.say(place, 'a question');
		const question = message(page, {from: 'Alice Ahn', text: 'a question'});

		await bot.post(`/messages/${asked}/reactions`, {emoji_name: 'eyes'});
		await question.getByRole('button', {name: 'eyes Echo'}).click();
		await question.getByRole('button', {name: 'eyes Echo, You', pressed: true}).waitFor();
		t.is((await reactionsOf(alice, asked)).length, 2);
		await question.getByRole('button', {name: 'eyes'}).click();
		await question.getByRole('button', {name: 'eyes Echo', exact: true, pressed: false}).waitFor();
		t.is((await reactionsOf(alice, asked)).length, 1);
		await bot.delete(`/messages/${asked}/reactions`, {emoji_name: 'eyes', reaction_type: 'unicode_emoji'});
		await question.getByRole('button', {name: 'eyes'}).waitFor({state: 'detached'});

		const {stream_id} = (await alice.get('/get_stream_id', {stream: 'general'})).body;
		await bot.post('/typing', {op: 'start', type: 'stream', stream_id, topic: 'bots'});
		await page.getByText('Echo is typing…').waitFor();
		const answered = await bot.say(place, 'one');
		await page.getByText('Echo is typing…').waitFor({state: 'detached'});
		const answer = page.locator(`[data-id="${answered}"]`);
		const long = Array.from({length: 30}, (_, index) => `${index + 1}.`).join('\n\n');
		for (const content of ['one two', long]) {
			await bot.patch(`/messages/${answered}`, {content});
			await answer.getByText(content === long ? '30.' : content, {exact: true}).waitFor();
		}

		await answer.getByText('(edited)').waitFor();
		t.true(await isAtEnd(page), 'a reader at the end stays there while an answer grows');
		const query = {apply_markdown: false};
		t.is((await alice.get(`/messages/${answered}`, query)).body.message.content, long);
		await bot.delete(`/messages/${answered}`);
		await answer.waitFor({state: 'detached'});
		t.is((await alice.get(`/messages/${answered}`)).status, 400);
		t.is(await page.locator('.message').count(), 1);

		const body = new FormData();
		body.append('file', new File(['a,b'], 'votes.csv'));
		const headers = basic(bot.email, bot.key);
		const uploaded = await fetch(`${realm.url}/api/v1/user_uploads`, {method: 'POST', headers, body});
		const {url} = (await uploaded.json()) as {url: string};
		await bot.say(place, `[votes.csv](${url})`);
		const link = message(page, {from: 'Echo', text: 'votes.csv'}).getByRole('link', {name: 'votes.csv'});
		const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
		t.is(download.suggestedFilename(), 'votes.csv');
		t.is((await bot.get('/attachments')).body.attachments[0].messages.length, 1);
	},
);

browserTest('a status, presence, a new bot and a moved message appear without a reload', async t => {
	const {realm, signIn, bob} = await startChat(t);
	const page = await signIn('Alice', '#channel/general/old');
	const id = await bob.say({channel: 'general', topic: 'old'}, 'moves soon');
	await message(page, {from: 'Bob Birk', text: 'moves soon'}).waitFor();

	await bob.post('/users/me/presence', {status: 'active', ping_only: true});
	await bob.post('/users/me/status', {status_text: 'at lunch'});
	await page.getByRole('link', {name: 'Bob Birk active at lunch'}).waitFor();
	realm.ensureBot({name: 'later', fullName: 'Later Bot', payloadUrl: 'http://127.0.0.1:9/'});
	await page.getByRole('link', {name: 'Later Bot'}).waitFor();
	await bob.patch(`/messages/${id}`, {topic: 'new', send_notification_to_old_thread: false});
	await page
		.getByRole('navigation')
		.getByRole('link', {name: /^new\b/})
		.click();
	await message(page, {from: 'Bob Birk', text: 'moves soon'}).waitFor();
	t.is(await page.getByRole('alert').count(), 0);
});

browserTest('files are attached, pasted, shown and opened; what could run is a download', async t => {
	const {realm, signIn, alice, bob} = await startChat(t);
	const page = await signIn('Alice', '#channel/general/files');
	const png = Buffer.from(PIXEL, 'base64');

	await page.getByLabel('Files to attach').setInputFiles({name: 'soup.png', mimeType: 'image/png', buffer: png});
	await until(async () => (await box(page).inputValue()).includes('soup.png'));
	await box(page).press('Enter');
	const picture = page.locator('.message:not(.pending) img[alt="soup.png"]');
	await picture.waitFor();
	await until(() => page.evaluate(`document.querySelector('img[alt="soup.png"]').naturalWidth === 1`));

	await box(page).focus();
	await page.evaluate(PASTE);
	await until(async () => (await box(page).inputValue()).includes('pasted.html'));
	await box(page).press('Enter');
	const file = page.locator('.message:not(.pending)').getByRole('link', {name: 'pasted.html'});
	const [download] = await Promise.all([page.waitForEvent('download'), file.click()]);
	t.is(download.suggestedFilename(), 'pasted.html');

	const {attachments} = (await alice.get('/attachments')).body;
	t.deepEqual(
		attachments.map((each: {name: string; messages: unknown[]}) => [each.name, each.messages.length]),
		[
			['soup.png', 1],
			['pasted.html', 1],
		],
	);
	const path = `/user_uploads/${attachments[1].path_id}`;
	const answer = await fetch(`${realm.url}${path}`, {headers: basic(bob.email, bob.key)});
	t.regex(answer.headers.get('content-disposition') ?? '', /^attachment/);
	t.is(answer.headers.get('content-security-policy'), "default-src 'none'; sandbox");
});

browserTest('the page follows a realm that was restarted', async t => {
	const file = await databaseFile(t);
	const {signIn, realm} = await startChat(t, {file});
	const page = await signIn('Alice', '#channel/general/restart');
	await say(page, 'before');
	await page.locator('.message:not(.pending)', {hasText: 'before'}).waitFor();

	await realm.close();
	await page.getByText('Connection lost. Reconnecting…').waitFor();
	const next = await openChat(t, {file, port: realm.port, rateLimit: false});
	await next.bob.say({channel: 'general', topic: 'restart'}, 'after');
	await message(page, {from: 'Bob Birk', text: 'after'}).waitFor();
	await page.getByText('Connection lost').waitFor({state: 'detached'});
	t.is(await page.locator('.message', {hasText: 'before'}).count(), 1);
});

async function reactionsOf(caller: Caller, id: number): Promise<unknown[]> {
	return (await caller.get(`/messages/${id}`)).body.message.reactions;
}

function isAtEnd(page: Page): Promise<boolean> {
	return page.locator('.messages').evaluate(list => list.scrollHeight - list.scrollTop - list.clientHeight < 60);
}

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const PASTE = `(() => {
	const data = new DataTransfer();
	data.items.add(new File(['<script>document.title = "ran"</script>'], 'pasted.html', {type: 'text/html'}));
	document.activeElement.dispatchEvent(new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true}));
})()`;
