// `npm run test:dirty [words of npm test]`: runs `npm test` in a copy of this checkout. There, everything that tests must not
// depend on is in use: .data/, bothyrc, bots/, the settings of the shell, and the usual port of Redis.

import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {
	chownSync,
	cpSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	realpathSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {connect} from 'node:net';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {pathToFileURL} from 'node:url';
import {root} from './build.mjs';
import {findRedis} from './redis.mjs';
import {Failure, say} from './run.mjs';

const nobody = 65_534;

process.chdir(root);
const {ENVIRONMENT} = await import(pathToFileURL(path.resolve('dist/src/config/environment.js')).href);
const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'bothy-dirty-')));
const checkout = path.join(folder, 'checkout');
const servers = [];
let running;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
	// At a terminal the tests get the signal as well. Either way they end first.
	process.on(signal, () => running?.kill(signal));
}

try {
	copyCheckout();
	await useData();
	writeFileSync(path.join(checkout, 'bothyrc'), 'This is no config file\n[[stray\nemail = \u0000\n');
	writeFileSync(path.join(checkout, 'bots', 'stray.ts'), strayBot());
	await holdPort(6379);

	process.exitCode = await runTests();
} finally {
	for (const server of servers) {
		server.kill('SIGKILL');
	}

	rmSync(folder, {recursive: true, force: true});
}

function copyCheckout() {
	const left = new Set(['node_modules', '.git', '.data'].map(name => path.join(root, name)));
	// Keeps file times, so the copy counts as built.
	cpSync(root, checkout, {recursive: true, preserveTimestamps: true, filter: source => !left.has(source)});
	symlinkSync(path.join(root, 'node_modules'), path.join(checkout, 'node_modules'));
	mkdirSync(path.join(checkout, '.data'));
	for (const name of readdirSync('.data').filter(each => each === 'bin' || each === 'tools')) {
		symlinkSync(path.join(root, '.data', name), path.join(checkout, '.data', name));
	}
}

/** Leaves the files of a stopped `npm start`, owned by another user if possible. */
async function useData() {
	const env = {...process.env, PORT: '0', REALM_PORT: '0'};
	const words = [path.join('dist', 'src', 'cli.js'), 'start'];
	running = spawn(process.execPath, words, {cwd: checkout, env, stdio: ['ignore', 'pipe', 'inherit']});
	const ended = once(running, 'exit');
	let output = '';
	for await (const chunk of running.stdout) {
		output += chunk;
		if (output.includes('Ctrl-C')) {
			running.kill('SIGTERM');
		}
	}

	const [code] = await ended;
	if (code !== 0) {
		throw new Failure(`\`bothy start\` ended with ${code} in the copy:\n${output}`);
	}

	if (process.getuid?.() === 0) {
		giveAway(path.join(checkout, '.data'));
	}
}

function giveAway(place) {
	for (const entry of readdirSync(place, {withFileTypes: true})) {
		const file = path.join(place, entry.name);
		if (entry.isDirectory()) {
			giveAway(file);
		}

		if (!entry.isSymbolicLink()) {
			chownSync(file, nobody, nobody);
		}
	}
}

function strayBot() {
	return `import {bot} from 'bothy';\n
export default bot({about: 'Is not part of the product'}).command('stray', {about: 'Stray'}, ctx => ctx.reply('Stray'));\n`;
}

async function holdPort(port) {
	if (await isTaken(port)) {
		say(`Port ${port} is in use already`);
		return;
	}

	const program = findRedis();
	if (program === undefined) {
		throw new Failure('Found no Redis server');
	}

	const words = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
	const server = spawn(program, words, {cwd: folder, stdio: 'ignore'});
	servers.push(server);
	while (!(await isTaken(port))) {
		if (server.exitCode !== null) {
			throw new Failure(`Redis does not start on port ${port}`);
		}
	}
}

async function isTaken(port) {
	const socket = connect(port, '127.0.0.1');
	try {
		await once(socket, 'connect');
		return true;
	} catch {
		return false;
	} finally {
		socket.destroy();
	}
}

async function runTests() {
	const settings = Object.fromEntries(Object.keys(ENVIRONMENT).map(name => [name, 'nonsense']));
	const env = {...process.env, ...settings, BOTHY_NO_INSTALL: '1'};
	for (const words of [
		['prepare.mjs', '--browser'],
		['test.mjs', ...process.argv.slice(2)],
	]) {
		const [script, ...rest] = words;
		const call = [path.join('scripts', script), ...rest];
		running = spawn(process.execPath, call, {cwd: checkout, env, stdio: ['ignore', 'inherit', 'inherit']});
		const [code] = await once(running, 'exit');
		if (code !== 0) {
			return code ?? 1;
		}
	}

	return 0;
}
