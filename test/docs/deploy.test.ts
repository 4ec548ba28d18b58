// The files in deploy/ to start from: what they set exists, and systemd takes its units.

import {spawnSync} from 'node:child_process';
import {readdirSync, readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import test from 'ava';
import {ENVIRONMENT} from '../../src/config/settings.js';

const folder = fileURLToPath(new URL('../../../deploy/', import.meta.url));
const files = readdirSync(folder, {recursive: true, withFileTypes: true})
	.filter(entry => entry.isFile())
	.map(entry => `${entry.parentPath}/${entry.name}`);

/** What Docker, systemd and Kubernetes call by names of that kind, and names of metrics in capitals. */
const FOREIGN = new Set(['AF_INET', 'AF_INET6', 'AF_UNIX', 'NODE_ENV', 'NODE_OPTIONS', 'ROOT_CONTEXT']);

test('each variable that the files set is one that Bothy reads', t => {
	const named = files.flatMap(file => [...readFileSync(file, 'utf8').matchAll(/\b[A-Z]+(?:_[A-Z0-9]+)+\b/g)]);
	const unknown = named.map(([name]) => name).filter(name => !(name in ENVIRONMENT) && !FOREIGN.has(name));

	t.true(named.length > 10);
	t.deepEqual(unknown, []);
});

test('each rule has an example, and fires for it, where promtool is installed', t => {
	const examples = 'test/docs/alerts.promtool.yml';
	const namesIn = (path: string, pattern: RegExp) =>
		[...readFileSync(path, 'utf8').matchAll(pattern)].map(([, name]) => name).toSorted();

	const rules = namesIn(`${folder}prometheus/alerts.yml`, /- alert: (\w+)/g);
	t.true(rules.length > 10);
	t.deepEqual(namesIn(examples, /alertname="(\w+)"/g), rules);

	const {error, status, stdout, stderr} = spawnSync('promtool', ['test', 'rules', examples], {encoding: 'utf8'});
	if (error) {
		t.log('promtool is not installed here (Debian: `apt-get install prometheus`)');
		return;
	}

	t.is(status, 0, stdout + stderr);
});

test('systemd takes the units, where it is installed', t => {
	const units = files.filter(file => /\.(service|socket)$/.test(file));
	t.is(units.length, 3);
	const {error, status, stderr} = spawnSync('systemd-analyze', ['verify', ...units], {
		encoding: 'utf8',
		timeout: 30_000,
	});
	if (error) {
		t.log('systemd-analyze is not installed here');
		return;
	}

	t.is(status, 0, stderr);
	t.notRegex(stderr, /bothy-/, stderr);
});
