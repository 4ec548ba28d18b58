// `bothy new lunch`: creates a bot and its test, in the language and for the test runner of the repository.

import {existsSync} from 'node:fs';
import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {titleOf} from '../../host/title.js';
import {CommandError} from '../once.js';
import {botTemplate, testTemplate} from './new-templates.js';

interface Repository {
	readonly name: string | undefined;
	readonly isModule: boolean;
	readonly hasTypeScript: boolean;
	readonly runner: 'ava' | 'vitest' | 'node';
}

const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

export interface NewParts {
	readonly folder: string;
	print(text: string): void;
}

export async function runNew(name: string, {folder, print}: NewParts): Promise<void> {
	if (!NAME.test(name)) {
		throw new CommandError(
			`Expected a name of lower-case letters, digits and hyphens, such as \`lunch\` or \`lunch-orders\`, found "${name}"`,
		);
	}

	const repository = await readRepository(folder);
	const {isModule, hasTypeScript} = repository;
	// In a CommonJS package, only these endings are ES modules.
	const imported = isModule ? 'js' : 'mjs';
	const extension = hasTypeScript ? imported.replace('js', 'ts') : imported;
	const bot = join('bots', `${name}.${extension}`);
	const test = join('test', 'bots', `${name}.test.${extension}`);
	refuseExisting(folder, {name, test});

	const words = {name, title: titleOf(name), botPath: `../../bots/${name}.${imported}`};
	await write(join(folder, bot), botTemplate(words));
	await write(join(folder, test), testTemplate(words, repository.runner));

	print(`Created ${bot} and ${test}. Next:\n`);
	const runner = runnerOf(repository, {bot: name, test});
	print(`  ${runner}   runs its test`);
	const dev = repository.name === 'bothy' ? 'npm run dev' : 'npx bothy dev';
	print(`  ${dev.padEnd(runner.length)}   starts a chat page where you can talk to it`);
	if (!hasTypeScript) {
		print(
			'\nThis repository has no tsconfig.json, so both files are JavaScript. For TypeScript, delete them, run ' +
				'`npm install --save-dev typescript tsx @types/node` and `npx tsc --init`, and then this command again.',
		);
	}
}

async function readRepository(folder: string): Promise<Repository> {
	const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => {
		throw new CommandError(
			`Expected a package.json in ${folder}, found none. Run this in the folder of your repository; ` +
				'`npm init -y` makes one.',
		);
	});
	const {name, type, dependencies, devDependencies} = JSON.parse(text) as {
		name?: string;
		type?: string;
		dependencies?: object;
		devDependencies?: object;
	};
	const packages = {...dependencies, ...devDependencies};
	return {
		name,
		isModule: type === 'module',
		hasTypeScript: existsSync(join(folder, 'tsconfig.json')) || 'typescript' in packages,
		runner: 'ava' in packages ? 'ava' : 'vitest' in packages ? 'vitest' : 'node',
	};
}

/** Throws if a plugin with this name exists already. */
function refuseExisting(folder: string, {name, test}: {name: string; test: string}): void {
	const places = [name, join(name, 'index')].flatMap(path =>
		['ts', 'mts', 'js', 'mjs'].map(extension => join('bots', `${path}.${extension}`)),
	);
	const found = [...places, test].find(file => existsSync(join(folder, file)));
	if (found !== undefined) {
		throw new CommandError(`${found} exists already. Choose another name, or edit that file.`);
	}
}

async function write(file: string, text: string): Promise<void> {
	await mkdir(dirname(file), {recursive: true});
	// The file may have been created in the meantime.
	await writeFile(file, text, {flag: 'wx'});
}

function runnerOf({name, hasTypeScript, runner}: Repository, {bot, test}: {bot: string; test: string}): string {
	if (name === 'bothy') {
		return `npm run test:bots ${bot}`;
	}

	if (runner !== 'node') {
		return runner === 'ava' ? `npx ava ${test}` : `npx vitest run ${test}`;
	}

	return `node ${hasTypeScript ? '--import tsx ' : ''}--test ${test}`;
}
