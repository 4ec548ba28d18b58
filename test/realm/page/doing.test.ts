import {seriousViolations} from '../../helpers/axe.js';
import {browserTest} from '../../helpers/browser.js';
import {until} from '../../helpers/until.js';
import {box, message, say, startChat} from './page-kit.js';

browserTest(
	'with the keyboard alone, a person reacts to, edits, quotes and deletes a message, and copies its link',
	async t => {
		const {signIn, alice} = await startChat(t);
		const page = await signIn('Alice', '#channel/general/keys');
		await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
		await say(page, 'first words');
		const own = page.locator('.message:not(.pending)', {hasText: 'words'});
		await own.waitFor();

		await page.keyboard.press('ArrowUp');
		await page.keyboard.press('Tab');
		await page.keyboard.press('Enter');
		await page.getByRole('button', {name: 'tada'}).focus();
		await page.keyboard.press('Enter');
		await own.getByRole('button', {name: 'tada You', pressed: true}).waitFor();

		await own.getByRole('button', {name: 'Edit'}).focus();
		await page.keyboard.press('Enter');
		await page.getByRole('textbox', {name: 'Text of the message'}).waitFor();
		await page.keyboard.type(' and more words');
		await page.keyboard.press('Enter');
		await own.getByText('first words and more words').waitFor();
		const [stored] = (await alice.get('/messages', {anchor: 'newest', num_before: 1, apply_markdown: false})).body
			.messages;
		t.is(stored.content, 'first words and more words');
		t.is(stored.reactions.length, 1);

		await own.focus();
		await own.getByRole('button', {name: 'Copy link'}).focus();
		await page.keyboard.press('Enter');
		await own.getByRole('button', {name: 'Link copied'}).waitFor();
		const link = await page.evaluate('navigator.clipboard.readText()');
		t.regex(String(link), /#narrow\/channel\/\d+-general\/topic\/keys\/near\/\d+$/);
		await own.getByRole('button', {name: 'Quote'}).focus();
		await page.keyboard.press('Enter');
		await until(async () => (await box(page).inputValue()).includes('```quote\nfirst words and more words\n```'));
		await box(page).fill('');

		await own.focus();
		await own.getByRole('button', {name: 'Delete'}).focus();
		await page.keyboard.press('Enter');
		await page.getByRole('button', {name: 'Delete message'}).focus();
		await page.keyboard.press('Enter');
		await own.waitFor({state: 'detached'});
		t.is((await alice.get(`/messages/${stored.id}`)).status, 400);
	},
);

browserTest('Ctrl+K jumps, starts a group and searches; a link shows its message', async t => {
	const {signIn, alice, bob} = await startChat(t);
	const id = await bob.say({channel: 'general', topic: 'soup'}, 'a rare mulligatawny');
	const page = await signIn('Alice', '#channel/general/welcome');
	const jump = async (text: string) => {
		await page.keyboard.press('Control+k');
		await page.getByRole('combobox', {name: 'Jump to'}).fill(text);
		await page.getByRole('dialog').getByRole('option').first().waitFor();
		await page.keyboard.press('Enter');
	};

	await jump('bob');
	await page.getByRole('heading', {name: 'Bob Birk'}).waitFor();
	await jump('mulligatawny');
	await page.getByRole('heading', {name: 'Messages with'}).waitFor();
	await page.getByRole('link', {name: '#general › soup'}).click();
	await page.locator(`.near[data-id="${id}"]:focus`).waitFor();

	await page.getByRole('button', {name: 'New group'}).click();
	for (const name of ['Bob', 'Carla']) {
		await page.getByRole('combobox', {name: 'People of the new group'}).fill(name);
		await page.keyboard.press('Enter');
	}

	await page.getByRole('button', {name: 'Start the conversation'}).click();
	await page.getByRole('heading', {name: 'Bob Birk, Carla Cruz'}).waitFor();
	await say(page, 'the three of us');
	await message(page, {from: 'Alice Ahn', text: 'the three of us'}).waitFor();
	await page.locator('.message:not(.pending)', {hasText: 'the three of us'}).waitFor();
	const [sent] = (await alice.get('/messages', {anchor: 'newest', num_before: 1})).body.messages;
	t.is(sent.display_recipient.length, 3);

	await page.getByRole('button', {name: 'Switch person'}).click();
	await page.getByRole('button', {name: 'Carla'}).click();
	await page.getByRole('heading', {name: 'Alice Ahn, Bob Birk'}).waitFor();
	await page.getByText('the three of us').waitFor();
});

browserTest('messages are scheduled, changed and cancelled, and drafts are restored', async t => {
	const {signIn, alice} = await startChat(t);
	const page = await signIn('Alice', '#channel/general/later');
	const scheduled = async () => (await alice.get('/scheduled_messages')).body.scheduled_messages;

	await box(page).fill('lunch is over');
	await page.getByRole('button', {name: 'Send later'}).click();
	await page.getByLabel('When to send it').fill('2099-01-01T12:00');
	await page.getByRole('button', {name: 'Schedule', exact: true}).click();
	await page.getByRole('button', {name: 'Drafts and scheduled 1'}).click();
	await page.getByRole('button', {name: 'Change'}).click();
	await page.getByLabel('Text').fill('lunch is ready');
	await page.getByRole('button', {name: 'Save'}).click();
	await page.getByText('lunch is ready').waitFor();
	t.deepEqual(
		(await scheduled()).map((one: {content: string}) => one.content),
		['lunch is ready'],
	);
	t.deepEqual(await seriousViolations(page), []);
	await page.getByRole('button', {name: 'Cancel'}).click();
	await page.getByText('Nothing is scheduled.').waitFor();
	t.deepEqual(await scheduled(), []);
	await page.getByRole('button', {name: 'Close'}).click();

	await box(page).fill('half a thought');
	await page.getByRole('link', {name: 'Echo'}).click();
	await page.getByRole('button', {name: 'Drafts and scheduled 1'}).click();
	t.is((await alice.get('/drafts')).body.drafts[0].content, 'half a thought');
	await page.getByRole('button', {name: 'Restore'}).click();
	await page.getByRole('heading', {name: 'later'}).waitFor();
	t.is(await box(page).inputValue(), 'half a thought');
	await box(page).press('Enter');
	await page.getByRole('button', {name: 'Drafts and scheduled', exact: true}).waitFor();
	t.is((await alice.get('/drafts')).body.count, 0);
});

browserTest('at 390 and 320 pixels nothing sticks out, and text from right to left is set so', async t => {
	const {signIn, bob} = await startChat(t);
	const page = await signIn('Alice', '#channel/general/welcome');
	await bob.say({channel: 'general', topic: 'welcome'}, 'שלום לכולם');
	const text = message(page, {from: 'Bob Birk', text: 'שלום'}).locator('p', {hasText: 'שלום'});
	await text.waitFor();
	t.is(
		await page.evaluate(`getComputedStyle(document.querySelector('article:last-of-type .content p')).direction`),
		'rtl',
	);

	for (const width of [390, 320]) {
		await page.setViewportSize({width, height: 640});
		t.is(await page.evaluate('document.documentElement.scrollWidth'), width);
		await message(page, {from: 'Bob Birk', text: 'שלום'}).hover();
		await page.getByRole('button', {name: 'React'}).click();
		const edge = await page.getByRole('group', {name: 'Reactions to add'}).evaluate(box => box.getBoundingClientRect());
		t.true(edge.left >= 0 && edge.right <= width);
		t.deepEqual(await seriousViolations(page), []);
		await page.getByRole('button', {name: 'React'}).click();
	}
});

browserTest(
	'the composer is two keys away, and no key or token is in the page, its address or its storage',
	async t => {
		const {signIn, alice} = await startChat(t);
		const page = await signIn('Alice', '#channel/general/welcome');
		await page.reload();
		await box(page).waitFor();
		t.is(await page.evaluate(`document.querySelector('a, button, input').textContent`), 'Skip to the message box');
		await page.getByRole('link', {name: 'Skip to the message box'}).focus();
		await page.keyboard.press('Enter');
		t.is(await page.evaluate('document.activeElement.id'), 'compose');

		const dom = await page.content();
		t.false(dom.includes(alice.key));
		t.false(page.url().includes(alice.key));
		t.false(String(await page.evaluate('JSON.stringify(localStorage)')).includes(alice.key));
		t.false(String(await page.evaluate('JSON.stringify(sessionStorage)')).includes(alice.key));
	},
);
