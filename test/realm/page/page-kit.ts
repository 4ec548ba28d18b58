// The chat page in a real browser, for its tests: a realm, people who sign in, and what they see.

import type {ExecutionContext} from 'ava';
import type {Page} from 'playwright-core';
import type {RealmOptions} from '../../../src/realm/index.js';
import {openWindow} from '../../helpers/browser.js';
import {ECHO, openChat, reply, startReceiver} from '../realm-kit.js';

/** A realm with the bot Echo, and a window in which people sign in, each in a tab of their own. */
export async function startChat(t: ExecutionContext, options: Partial<RealmOptions> = {}) {
	const chat = await openChat(t, {rateLimit: false, ...options});
	const receiver = await startReceiver(t, delivery =>
		reply({content: `You said: \`${delivery.body.data}\``})(delivery),
	);
	chat.realm.ensureBot({...ECHO, payloadUrl: receiver.url});
	const window = await openWindow(t);

	async function signIn(name: string, hash = ''): Promise<Page> {
		const page = await window.newPage();
		page.on('pageerror', error => t.fail(String(error)));
		await page.goto(`${chat.realm.url}/${hash}`);
		await page.getByRole('button', {name}).click();
		await box(page).waitFor();
		return page;
	}

	return {...chat, signIn, newPage: () => window.newPage()};
}

export function box(page: Page) {
	return page.getByRole('textbox', {name: 'Message to'});
}

export async function say(page: Page, text: string): Promise<void> {
	await box(page).fill(text);
	await box(page).press('Enter');
}

export function message(page: Page, {from, text}: {from: string; text: string}) {
	return page.getByRole('article').filter({hasText: from}).filter({hasText: text});
}
