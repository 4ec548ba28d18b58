// `bothy new lunch`: a bot and its test, in the language and for the test runner of the repository.

import {existsSync} from 'node:fs';
import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {titleOf} from './local-realm.js';
import {botTemplate, testTemplate} from './new-templates.js';
import {CommandError, print} from './once.js';

interface Repository {
	readonly name: string | undefined;
	readonly isModule: boolean;
	readonly hasTypeScript: boolean;
	readonly hasAva: boolean;
}

const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

export async function runNew(name: string): Promise<void> {
	if (!NAME.test(name)) {
		throw new CommandError(
			`Expected a name of small letters, digits and hyphens, such as \`lunch\` or \`lunch-orders\`, found "${name}"`,
		);
	}

	const repository = await readRepository();
	const {isModule, hasTypeScript, hasAva} = repository;
	// In a package that is no module only these endings are.
	const imported = isModule ? 'js' : 'mjs';
	const extension = hasTypeScript ? imported.replace('js', 'ts') : imported;
	const bot = join('bots', `${name}.${extension}`);
	const test = join('test', 'bots', `${name}.test.${extension}`);
	refuseExisting(name, test);

	const words = {name, title: titleOf(name), botPath: `../../bots/${name}.${imported}`};
	await write(bot, botTemplate(words));
	await write(test, testTemplate(words, hasAva ? 'ava' : 'node'));

	print(`Made ${bot} and ${test}. Next:\n`);
	print(`  ${runnerOf(repository, test)}   runs the test`);
	print(`  ${repository.name === 'bothy' ? 'npm run dev' : 'npx bothy dev'}   lets you talk to it, on the chat page`);
}

/** What the folder's package.json and tsconfig.json say. */
async function readRepository(): Promise<Repository> {
	const text = await readFile('package.json', 'utf8').catch(() => {
		throw new CommandError(
			`Expected a package.json in ${process.cwd()}, found none. Run this in the folder of your repository; ` +
				'`npm install bothy` makes one in an empty folder.',
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
		hasTypeScript: existsSync('tsconfig.json') || 'typescript' in packages,
		hasAva: 'ava' in packages,
	};
}

/** Whatever of that name a host would take for a plugin. */
function refuseExisting(name: string, test: string): void {
	const places = [name, join(name, 'index')].flatMap(path =>
		['ts', 'mts', 'js', 'mjs'].map(extension => join('bots', `${path}.${extension}`)),
	);
	const found = [...places, test].find(file => existsSync(file));
	if (found !== undefined) {
		throw new CommandError(`There is ${found} already. Change that one, or choose another name.`);
	}
}

async function write(file: string, text: string): Promise<void> {
	await mkdir(dirname(file), {recursive: true});
	// Somebody may have made it meanwhile.
	await writeFile(file, text, {flag: 'wx'});
}

function runnerOf({name, hasTypeScript, hasAva}: Repository, test: string): string {
	if (name === 'bothy') {
		return `npm run build && npx ava dist/${test.replace(/ts$/, 'js')}`;
	}

	if (hasAva) {
		return `npx ava ${test}`;
	}

	return `node ${hasTypeScript ? '--import tsx ' : ''}--test ${test}`;
}
