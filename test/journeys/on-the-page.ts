// The main job as a newcomer sees it: the page in a real browser, buttons of a bot among it.

import type {ExecutionContext} from 'ava';
import type {Page} from 'playwright-core';
import {openWindow} from '../helpers/browser.js';

const asks = [
	{bot: 'Echo', text: 'hello there', answer: /^hello there$/},
	{bot: 'Dice', text: 'roll 2d6', answer: /\d \+ \d = \d+$/},
	{bot: 'Remind', text: 'me in 60 minutes tea', answer: /^I will remind you at .+\.$/},
];

/** Writes to bots in a channel and directly; each is to answer once without a reload. */
export async function talkOnThePage(t: ExecutionContext, url: string): Promise<void> {
	const page = await (await openWindow(t)).newPage();
	const problems: string[] = [];
	page.on('console', message => {
		if (message.type() === 'error') {
			problems.push(message.text());
		}
	});
	page.on('pageerror', error => problems.push(error.message));

	await page.goto(url);
	await page.getByRole('button', {name: /Alice/}).click();
	await page.getByText('Welcome!').waitFor();
	await page.goto(`${url}/#channel/general/bots`);
	for (const {bot, text, answer} of asks) {
		await say(page, `@**${bot}** ${text}`);
		await answerOf(page, {bot, answer}).waitFor();
	}

	for (const {bot, answer} of asks) {
		t.is(await answerOf(page, {bot, answer}).count(), 1, `${bot} answered once in the channel`);
	}

	for (const {bot, text, answer} of asks) {
		await page.getByRole('navigation').getByRole('link', {name: bot}).click();
		await page.getByRole('heading', {name: bot}).waitFor();
		await say(page, text);
		await answerOf(page, {bot, answer}).waitFor();
		t.is(await answerOf(page, {bot, answer}).count(), 1, `${bot} answered once directly`);
	}

	await page.goto(`${url}/#channel/general/poll`);
	await say(page, '@**Poll** ask "Where to eat?" pizza, big soup');
	await page.getByRole('group', {name: 'Answers'}).getByRole('button', {name: 'big soup'}).click();
	await answerOf(page, {bot: 'Poll', answer: /^Alice Ahn: big soup$/}).waitFor();

	t.deepEqual(problems, []);
}

async function say(page: Page, text: string): Promise<void> {
	const box = page.getByRole('textbox', {name: 'Message to'});
	await box.fill(text);
	await box.press('Enter');
}

function answerOf(page: Page, {bot, answer}: {bot: string; answer: RegExp}) {
	return page
		.getByRole('article', {name: new RegExp(`^${bot}, `)})
		.locator('.content')
		.filter({hasText: answer});
}
