// Finds a Chromium for the browser tests, or installs one.

import path from 'node:path';
import {Failure, findProgram, isExecutable} from './run.mjs';
import {canInstall, installPackages, unpackPackages} from './system-packages.mjs';

const onMac = [
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	'/Applications/Chromium.app/Contents/MacOS/Chromium',
];

// The same order as in test/helpers/browser.ts.
export function findBrowser() {
	const named = process.env.BOTHY_CHROMIUM;
	if (named) {
		return isExecutable(named) ? named : undefined;
	}

	return (
		findProgram(
			['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'],
			[path.join('.data', 'bin')],
		) ?? onMac.find(isExecutable)
	);
}

export async function installBrowser() {
	if (process.env.BOTHY_CHROMIUM) {
		throw new Failure(`BOTHY_CHROMIUM names ${process.env.BOTHY_CHROMIUM}, which is not a program`);
	}

	try {
		await install();
	} catch (error) {
		throw new Failure(`No Chromium for the browser tests, they will be skipped: ${error.message}`);
	}
}

async function install() {
	if (!findProgram(['apt-get'])) {
		throw new Failure('install Chromium or Google Chrome, or name one in BOTHY_CHROMIUM');
	}

	// Chromium without windows: smaller, and half of the CPU time. The common files must be in the same folder.
	const name = 'chromium-headless-shell';
	const packages = [name, 'chromium-common', 'fonts-dejavu-core'];
	if (await canInstall()) {
		await installPackages(packages, 'Chromium');
		return;
	}

	await unpackPackages(packages, {title: 'Chromium', program: `usr/lib/chromium/${name}`, name});
}
