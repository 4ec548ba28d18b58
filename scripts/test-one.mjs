// `npm run test:one <files, or words of a title>` and `npm run test:bots [name]`: compile saved files without type checks,
// and run those tests. With --watch, run them again after each save.

import {spawn} from 'node:child_process';
import path from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {compileChanged, root, stamp} from './build.mjs';
import {endTree} from './processes.mjs';
import {say} from './run.mjs';
import {findByName, findByTitle, listTests, outputOf, patternOf} from './test-files.mjs';

const lookEveryMs = 150;

const words = process.argv.slice(2);
const isOfBots = words[0] === '--bots' && words.shift() === '--bots';
// npm treats `--watch` in `npm run test:one dispatch --watch` as its own option, since no `--` precedes it.
const isWatching = process.env.npm_config_watch === 'true' || words.includes('--watch');
const [word, ...rest] = words.filter(each => each !== '--watch');
const find = name => findByName(isOfBots ? path.join('bots', name) : name);
const others = rest.filter(each => !each.startsWith('-') && (isOfBots || find(each).length > 0));
const options = rest.filter(each => !others.includes(each));

process.chdir(root);
const selected = select();
let running;
let runs = 0;
for (const [signal, number] of Object.entries({SIGINT: 2, SIGTERM: 15, SIGHUP: 1})) {
	process.once(signal, async () => {
		await stop();
		process.exit(128 + number);
	});
}

if (selected.files.length === 0) {
	say(
		isOfBots
			? `Expected tests of bots in test/bots/, found none for ${selected.missing}. \`npx bothy new <name>\` makes a bot and its test.`
			: `No test file is called, and no title contains: ${word ?? ''}\nUsage: npm run test:one <files, or words of a title>`,
	);
	process.exitCode = 2;
} else if (isWatching) {
	await watch();
} else {
	process.exitCode = await run();
}

function select() {
	if (isOfBots) {
		const names = [word ?? [], others].flat();
		const missing = names.filter(name => find(name).length === 0).join(', ');
		const files = word === undefined ? listTests(path.join('test', 'bots')) : names.flatMap(find);
		return {files: missing === '' ? files : [], missing};
	}

	const byName = word === undefined ? [] : findByName(word);
	if (word === undefined || byName.length > 0) {
		return {files: [byName, ...others.map(findByName)].flat()};
	}

	return {files: findByTitle(word), match: ['--match', `*${patternOf(word)}*`]};
}

async function watch() {
	for (;;) {
		const seen = stamp();
		void run();
		while (stamp() === seen) {
			await sleep(lookEveryMs);
		}

		await stop();
		say(`\n${'─'.repeat(40)}`);
	}
}

async function run() {
	const run = ++runs;
	const code = await compileChanged();
	if (code !== 0 || run !== runs) {
		return code;
	}

	const ava = [path.join('node_modules', '.bin', 'ava'), ...selected.files.map(outputOf), ...(selected.match ?? [])];
	running = spawn(process.execPath, [...ava, ...options], {stdio: ['ignore', 'inherit', 'inherit'], detached: true});
	return await new Promise(resolve => running.once('exit', result => resolve(result ?? 1)));
}

async function stop() {
	runs++;
	if (running?.exitCode === null && running.signalCode === null) {
		await endTree(running.pid);
	}
}
