// Checks whether node_modules matches package-lock.json, by the list that npm writes there after each install.

import {existsSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {Failure, run} from './run.mjs';

const npmsList = path.join('node_modules', '.package-lock.json');

export function missingDependencies() {
	if (!existsSync(npmsList)) {
		return 'The dependencies are not installed';
	}

	const wanted = packagesOf('package-lock.json');
	const found = packagesOf(npmsList);
	const isDifferent = ([place, {version, optional, devOptional}]) => {
		if (found[place] === undefined) {
			return !optional && !devOptional;
		}

		return found[place].version !== version;
	};

	const packages = Object.entries(wanted).filter(([place]) => place !== '');
	const isLost = name => !existsSync(path.join('node_modules', name, 'package.json'));
	if (packages.some(isDifferent) || directDependencies(wanted['']).some(isLost)) {
		return 'The dependencies are not those of package-lock.json';
	}

	return undefined;
}

export async function installDependencies() {
	await npm('ci');
	const missing = missingDependencies();
	if (missing !== undefined) {
		throw new Failure(`${missing}, even after npm installed them. Run \`npm install\` and see what changed`);
	}
}

async function npm(...command) {
	// At this log level npm names each package that it fetches, so users see progress.
	const words = [...command, '--include=dev', '--no-audit', '--no-fund', '--loglevel=http'];
	const progress = lines => `${lines.filter(line => line.includes('http fetch GET 200')).length} files fetched`;
	await run('npm', words, {title: `Installing the dependencies with \`npm ${command.join(' ')}\``, progress});
}

function packagesOf(lockfile) {
	return JSON.parse(readFileSync(lockfile, 'utf8')).packages;
}

function directDependencies({dependencies = {}, devDependencies = {}}) {
	return [...Object.keys(dependencies), ...Object.keys(devDependencies)];
}
