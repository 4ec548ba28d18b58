// A real Chromium for tests of pages; where there is none the tests say so, and under CI=true they fail.

import {accessSync, constants} from 'node:fs';
import path from 'node:path';
import test, {type ExecutionContext, type Implementation} from 'ava';
import {type Browser, type BrowserContext, chromium} from 'playwright-core';

const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];
const onMac = [
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	'/Applications/Chromium.app/Contents/MacOS/Chromium',
];
const switches = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/** A test that needs a browser: skipped with the reason in its title when there is none. */
export function browserTest(title: string, implementation: Implementation<[]>): void {
	if (findBrowser() !== undefined) {
		// One browser at a time: a dozen side by side starve every other test of the machine.
		test.serial(title, implementation);
		return;
	}

	const reason = explainAbsence();
	if (process.env.CI === 'true') {
		test(title, t => t.fail(`${reason}, and CI=true asks for one`));
		return;
	}

	test.skip(`${title} (${reason})`, implementation);
}

let browser: Promise<Browser> | undefined;

/** A window with nothing remembered, in the browser that all tests of a file share; closed at the end of the test. */
export async function openWindow(t: ExecutionContext): Promise<BrowserContext> {
	browser ??= launch();
	const window = await (await browser).newContext();
	// AVA's limit is the only one on a slow machine. This one ends just before it, since it says what did not come.
	window.setDefaultTimeout(110_000);
	t.teardown(() => window.close());
	return window;
}

async function launch(): Promise<Browser> {
	const executablePath = findBrowser();
	if (executablePath === undefined) {
		throw new Error(explainAbsence());
	}

	return await chromium.launch({executablePath, headless: true, args: switches});
}

test.after.always(async () => {
	await (await browser)?.close();
});

// The same order as in scripts/browser.mjs.
function findBrowser(): string | undefined {
	const named = process.env.BOTHY_CHROMIUM;
	if (named) {
		return isExecutable(named) ? named : undefined;
	}

	const folders = [...(process.env.PATH ?? '').split(path.delimiter), path.join('.data', 'bin')];
	const candidates = names.flatMap(name => folders.map(folder => path.resolve(folder, name)));
	return [...candidates, ...onMac].find(isExecutable);
}

function explainAbsence(): string {
	const named = process.env.BOTHY_CHROMIUM;
	return named ? `BOTHY_CHROMIUM names ${named}, which is not a program` : 'found no Chromium';
}

function isExecutable(file: string): boolean {
	try {
		accessSync(file, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}
