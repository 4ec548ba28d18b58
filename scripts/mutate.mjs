// `npm run mutate [operation…]`: breaks one operation at a time, on either side of the wire, and checks whether its own tests
// fail. These are the tests in test/wire/ whose titles begin with `<operation>:`. If they still pass, the tests of the
// operation's effects may fail instead.

import {execFile} from 'node:child_process';
import {readFileSync} from 'node:fs';
import path from 'node:path';
import {pathToFileURL} from 'node:url';
import {root} from './build.mjs';
import {say} from './run.mjs';
import {listTests} from './test-files.mjs';

const AT_ONCE = 2;

process.chdir(root);
const {operations} = await import(pathToFileURL(path.resolve('dist/src/api/index.js')).href);
const words = process.argv.slice(2);
const unknown = words.find(name => !(name in operations));
if (unknown) {
	console.error(`Expected the name of an operation, found ${unknown}`);
	process.exit(2);
}

const tests = listTests('dist/test').map(file => ({file, text: readFileSync(file, 'utf8')}));
const isOfWire = ({file}) => file.startsWith(path.join('dist', 'test', 'wire', path.sep));
const effectTests = tests.filter(test => !isOfWire(test) && test.text.includes('the two values of'));
const results = new Map();

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

/** Which mutations make a test of the operation fail that passes without them. */
async function tryOperation(name, mutations) {
	const isCaught = new Map(mutations.map(mutation => [mutation, false]));
	const left = () => mutations.filter(mutation => !isCaught.get(mutation));
	for (const find of [wireTestsOf, effectTestsOf]) {
		const found = left().length > 0 ? await find(name) : [];
		for (const mutation of found.length > 0 ? left() : []) {
			const {passes} = await ava(['--fail-fast', ...found], mutation);
			isCaught.set(mutation, !passes);
		}
	}

	return isCaught;
}

/** The arguments with which AVA runs the wire tests of an operation. None unless such tests exist and all of them pass. */
async function wireTestsOf(name) {
	const mention = new RegExp(`['"\`]${name}['"\`:]`);
	const files = tests.filter(test => isOfWire(test) && mention.test(test.text)).map(({file}) => file);
	const found = [];
	for (const file of files) {
		const {passes, titles} = await resultOf(file);
		const own = titles.filter(({title}) => title.startsWith(`${name}: `));
		if (own.length === 0 ? !passes : own.some(test => !test.passes)) {
			say(`The tests of ${name} in ${file} fail without a mutation`);
			return [];
		}

		found.push(...(own.length > 0 ? [file] : []));
	}

	return found.length === 0 ? [] : [...found, `--match=${name}: *`];
}

async function effectTestsOf(name) {
	const found = [...effectTests.map(({file}) => file), `--match=*the two values of ${name} *`];
	return effectTests.length > 0 && (await ava(found)).passes ? found : [];
}

/** The result of a file's tests without a mutation. Each file runs once. */
function resultOf(file) {
	if (!results.has(file)) {
		results.set(file, ava([file]));
	}

	return results.get(file);
}

/** Runs tests. `passes` is true if at least one ran and none failed. A mutation may make a test wait for ever. */
async function ava(words, mutation = '') {
	const hook = pathToFileURL(path.join(root, 'scripts', 'mutation.mjs')).href;
	const program = path.join('node_modules', '.bin', 'ava');
	const call = [
		program,
		'--tap',
		...(mutation ? ['--timeout=30s'] : []),
		`--node-arguments=--import=${hook}`,
		...words,
	];
	const env = {...process.env, BOTHY_MUTATION: mutation};
	return await new Promise(resolve => {
		execFile(process.execPath, call, {env, maxBuffer: 2 ** 26}, (error, output) => {
			const lines = output.matchAll(/^(not )?ok \d+ - (.*)$/gm);
			resolve({passes: !error, titles: [...lines].map(([, not, title]) => ({title, passes: !not}))});
		});
	});
}
