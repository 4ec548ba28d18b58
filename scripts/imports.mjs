// Enforces the table of docs/architecture.md: which part of the sources may import which, and no circular imports.

import {existsSync, readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {importsOf} from './imports-of.mjs';

// A part is a folder of src/, a file directly in src/, or a folder beside src/. Its allowed imports besides itself:
const everything = [
	'api',
	'client',
	'redis',
	'queue',
	'delivery',
	'outbox',
	'schedules',
	'storage',
	'events',
	'drafts',
	'presence',
	'bot',
	'receiver',
	'realm',
	'testing',
];
const values = ['config', 'log', 'plugins', 'port-holder', 'semaphore'];
const table = {
	api: [],
	client: ['api'],
	'page-files': [],
	realm: ['api', 'page-files'],
	semaphore: [],
	redis: ['api', 'semaphore'],
	queue: ['api', 'client', 'redis'],
	delivery: ['semaphore', 'api', 'redis', 'queue', 'outbox', 'schedules', 'storage'],
	outbox: ['api', 'client', 'redis', 'queue', 'delivery'],
	schedules: ['api', 'redis', 'queue', 'delivery', 'outbox'],
	storage: ['api', 'redis', 'delivery'],
	events: ['api', 'client', 'redis', 'queue', 'delivery'],
	drafts: ['api', 'client', 'redis', 'delivery'],
	presence: ['semaphore', 'api', 'client', 'redis', 'queue'],
	bot: ['api', 'client', 'redis', 'queue', 'delivery', 'outbox', 'schedules', 'storage'],
	receiver: ['api', 'delivery', 'bot'],
	workers: everything.filter(part => !['receiver', 'realm', 'testing'].includes(part)),
	testing: [...everything, ...values, 'index', 'bots', 'workers'],
	host: [...everything, ...values, 'index', 'bots', 'workers'].filter(part => part !== 'testing'),
	console: [...everything, ...values, 'page-files', 'host'].filter(part => !['realm', 'testing'].includes(part)),
	cli: [...everything, ...values, 'index', 'bots', 'workers', 'host', 'console'],
	index: ['bot', 'api', 'client'],
	config: ['api', 'redis', 'presence'],
	log: ['api'],
	plugins: ['api'],
	'port-holder': [],
	bots: ['index'],
	test: [...everything, ...values, 'index', 'host', 'console', 'cli', 'bots', 'workers', 'test/wire'],
	// These compare the wire with literal bytes, so they must not share its mistakes.
	'test/wire': [...everything, ...values, 'index', 'host', 'console', 'cli', 'bots', 'workers', 'test'].filter(
		part => part !== 'api',
	),
};

// Parts that may import only certain packages.
const packages = {api: ['zod'], bots: []};

const ZOD = 'src/api/zod.ts';

const face = {bothy: 'src/index.ts', 'bothy/testing': 'src/testing/index.ts'};

/** One line per violation: file, line, and what is allowed. */
export function checkImports(root) {
	const files = ['src', 'bots', 'workers', 'test'].flatMap(folder => listSources(root, folder)).sort();
	const imports = files.flatMap(file =>
		importsOf(readFileSync(path.join(root, file), 'utf8')).map(found => ({
			...found,
			file,
			target: resolve(root, file, found.specifier),
		})),
	);
	return [...imports.flatMap(explainViolation), ...findCircles(imports)];
}

function explainViolation({file, line, specifier, target}) {
	const part = partOf(file);
	const where = `${file}:${line} imports '${specifier}'`;
	const allowed = table[part];
	if (allowed === undefined) {
		return [
			`${where}, but scripts/imports.mjs does not know ${part}: add it to its table, and to the one of docs/architecture.md`,
		];
	}

	if (specifier === 'zod' && file !== ZOD) {
		return [`${where}: import it from ${ZOD}, which the build makes one file, so that processes start sooner`];
	}

	if (target === undefined) {
		const ours = packages[part];
		const isOfNode = specifier.startsWith('node:') && part !== 'api';
		const isFine = ours === undefined || isOfNode || ours.includes(packageOf(specifier));
		return isFine ? [] : [`${where}: of packages, ${part} may import ${ours.join(', ') || "only the face, 'bothy'"}`];
	}

	const other = partOf(target);
	// A bot imports the package by its name, like a bot in another repository.
	const isByName = part !== 'bots' || specifier in face;
	if (other === part || (allowed.includes(other) && isByName)) {
		return [];
	}

	const names = part === 'bots' ? `the face alone, 'bothy'` : allowed.join(', ') || 'nothing of ours';
	return [`${where}: ${part} may import ${names}`];
}

function findCircles(imports) {
	const next = new Map();
	for (const {file, target, line} of imports) {
		if (target !== undefined && target !== file) {
			next.set(file, [...(next.get(file) ?? []), {target, line}]);
		}
	}

	const finished = new Set();
	const circles = [];
	const visit = trail => {
		const file = trail.at(-1);
		for (const {target, line} of next.get(file) ?? []) {
			const start = trail.indexOf(target);
			if (start !== -1) {
				circles.push(`${file}:${line} closes a circle: ${[...trail.slice(start), target].join(' → ')}`);
			} else if (!finished.has(target)) {
				visit([...trail, target]);
			}
		}

		finished.add(file);
	};

	for (const file of next.keys()) {
		if (!finished.has(file)) {
			visit([file]);
		}
	}

	return circles;
}

function partOf(file) {
	const [first, second] = file.split('/');
	if (first === 'test' && second === 'wire') {
		return 'test/wire';
	}

	return first === 'src' ? path.basename(second, '.ts') : first;
}

/** The imported file of ours. Undefined for packages. */
function resolve(root, file, specifier) {
	if (specifier in face) {
		return face[specifier];
	}

	if (!specifier.startsWith('.')) {
		return undefined;
	}

	const target = path.posix.join(path.posix.dirname(file), specifier);
	const source = target.replace(/\.js$/, '.ts');
	return existsSync(path.join(root, source)) ? source : target;
}

function packageOf(specifier) {
	const depth = specifier.startsWith('@') ? 2 : 1;
	return specifier.split('/').slice(0, depth).join('/');
}

function listSources(root, folder) {
	if (!existsSync(path.join(root, folder))) {
		return [];
	}

	return readdirSync(path.join(root, folder), {withFileTypes: true}).flatMap(entry => {
		const file = path.posix.join(folder, entry.name);
		return entry.isDirectory() ? listSources(root, file) : /\.ts$/.test(file) ? [file] : [];
	});
}

if (process.argv[1] && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
	const [root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')] = process.argv.slice(2);
	const violations = checkImports(root);
	for (const violation of violations) {
		console.log(violation);
	}

	process.exitCode = violations.length > 0 ? 1 : 0;
}
