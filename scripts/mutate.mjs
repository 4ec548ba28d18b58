// `npm run mutate [operation…]`: breaks one operation at a time, on either side of the wire, and sees whether its own tests
// notice: those of its bytes in test/wire/, and if they do not, those of its effects.

import path from 'node:path';
import {pathToFileURL} from 'node:url';
import {root} from './build.mjs';
import {say, succeeds} from './run.mjs';

const AT_ONCE = 2;

process.chdir(root);
const {operations} = await import(pathToFileURL(path.resolve('dist/src/api/index.js')).href);
const words = process.argv.slice(2);
const unknown = words.find(name => !(name in operations));
if (unknown) {
	console.error(`Expected the name of an operation, found ${unknown}`);
	process.exit(2);
}

const waiting = (words.length > 0 ? words : Object.keys(operations)).values();
const survivors = [];
let count = 0;
await Promise.all(Array.from({length: AT_ONCE}, tryOperations));
for (const survivor of survivors) {
	say(`No test noticed: ${survivor}`);
}

say(`${count - survivors.length} of ${count} caught`);
process.exitCode = survivors.length === 0 ? 0 : 1;

async function tryOperations() {
	for (const name of waiting) {
		const mutations = mutationsOf(name);
		count += mutations.length;
		for (const [mutation, isCaught] of await tryOperation(name, mutations)) {
			say(`${isCaught ? '✔' : '✘'} ${mutation}`);
			survivors.push(...(isCaught ? [] : [mutation]));
		}
	}
}

function mutationsOf(name) {
	const hasParameters = Object.keys(operations[name].parameters).length > 0;
	return [`handler ${name}`, ...(hasParameters ? [`encoding ${name}`] : [])];
}

/** Which of the mutations make one of the operation's tests fail that passes without them. */
async function tryOperation(name, mutations) {
	const isCaught = new Map(mutations.map(mutation => [mutation, false]));
	const left = () => mutations.filter(mutation => !isCaught.get(mutation));
	for (const tests of [[wireTest(name)], effectsOf(name)]) {
		if (left().length > 0 && (await pass(tests))) {
			for (const mutation of left()) {
				isCaught.set(mutation, !(await pass(tests, mutation)));
			}
		}
	}

	return isCaught;
}

function wireTest(name) {
	const file = `${name.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}.test.js`;
	return path.join('dist', 'test', 'wire', file);
}

function effectsOf(name) {
	return [path.join('dist', 'test', 'effects', 'effects.test.js'), `--match=*the two values of ${name} *`];
}

/** Whether there are such tests, and all of them pass. */
async function pass(tests, mutation = '') {
	const hook = pathToFileURL(path.join(root, 'scripts', 'mutation.mjs')).href;
	const ava = [path.join('node_modules', '.bin', 'ava'), '--tap', '--fail-fast', '--timeout=30s'];
	const env = {...process.env, NODE_OPTIONS: `--import=${hook}`, BOTHY_MUTATION: mutation};
	return succeeds(process.execPath, [...ava, ...tests], {env});
}
