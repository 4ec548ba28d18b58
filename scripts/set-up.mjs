// The steps of prepare.mjs. Each checks whether it has work, and only then does it, one process at a time.

import path from 'node:path';
import {findBrowser, installBrowser} from './browser.mjs';
import {build, isBuilt, root} from './build.mjs';
import {installDependencies, missingDependencies} from './dependencies.mjs';
import {holdLock} from './lock.mjs';
import {findRedis, installRedis, redisAdvice} from './redis.mjs';
import {Failure, say} from './run.mjs';

const usage = `Usage: node scripts/prepare.mjs [--browser] [--no-redis] [--no-build]

  --browser    also see to a Chromium for the browser tests
  --no-redis   leave out the Redis server
  --no-build   leave out the build

BOTHY_NO_INSTALL=1  install nothing, say what is missing
REDIS_URL           a running Redis server; none is installed then
BOTHY_CHROMIUM      a Chromium for the browser tests`;

const dependencies = {
	whatIsMissing: missingDependencies,
	install: installDependencies,
	advice: 'Run `npm ci`',
};

const redis = {
	whatIsMissing: () => (process.env.REDIS_URL || findRedis() ? undefined : 'There is no Redis server'),
	install: installRedis,
	advice: redisAdvice,
};

// Optional: without a browser, the browser tests are skipped and report the reason.
const browser = {
	whatIsMissing: () => (findBrowser() ? undefined : 'There is no Chromium for the browser tests'),
	install: installBrowser,
	advice: 'Install Chromium, or name one in BOTHY_CHROMIUM',
	isOptional: true,
};

export async function setUp(words) {
	const known = ['--browser', '--no-redis', '--no-build'];
	if (words.some(word => !known.includes(word))) {
		console.error(usage);
		process.exitCode = 2;
		return;
	}

	process.chdir(root);
	const steps = [
		dependencies,
		...(words.includes('--no-redis') ? [] : [redis]),
		...(words.includes('--browser') ? [browser] : []),
	];
	try {
		process.exitCode = await prepare({steps, needsBuild: () => !words.includes('--no-build') && !isBuilt()});
	} catch (error) {
		if (!(error instanceof Failure)) {
			throw error;
		}

		say(error.message);
		process.exitCode = 1;
	}
}

async function prepare({steps, needsBuild}) {
	const missing = steps.filter(step => step.whatIsMissing() !== undefined);
	const mayInstall = process.env.BOTHY_NO_INSTALL !== '1';
	if (!mayInstall && !missing.map(report).every(step => step.isOptional)) {
		return 1;
	}

	const installs = mayInstall ? missing : [];
	if (installs.length === 0 && !needsBuild()) {
		return 0;
	}

	return await holdLock(path.join('.data', 'prepare.lock'), async () => {
		for (const step of installs) {
			await install(step);
		}

		return needsBuild() ? await build() : 0;
	});
}

function report(step) {
	say(`${step.whatIsMissing()}, and BOTHY_NO_INSTALL=1 forbids installing. ${step.advice}`);
	return step;
}

async function install(step) {
	// Another prepare may have finished it while we waited for the lock.
	if (step.whatIsMissing() === undefined) {
		return;
	}

	try {
		await step.install();
	} catch (error) {
		if (!step.isOptional || !(error instanceof Failure)) {
			throw error;
		}

		say(error.message);
	}
}
