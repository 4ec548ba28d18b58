import {mkdir, mkdtemp, rename, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import test, {type ExecutionContext} from 'ava';
import {openSourceWatch} from '../../src/cli/watch-sources.js';

/** A watched folder; `change` resolves when a change was seen. */
async function watched(t: ExecutionContext) {
	const folder = await mkdtemp(join(tmpdir(), 'bothy-watched-'));
	const path = (name: string) => join(folder, name);
	for (const name of ['bots', 'data', 'node_modules', '.git']) {
		await mkdir(path(name));
	}

	await writeFile(path('bots/lunch.ts'), 'one');
	let seen = 0;
	let notice = () => {};
	const watch = await openSourceWatch({folders: [folder], files: [path('bothyrc')], except: path('data')});
	t.teardown(async () => {
		await watch.stop();
		await rm(folder, {recursive: true});
	});
	return {
		path,
		seen: () => seen,
		start() {
			watch.start(async () => {
				seen += 1;
				notice();
			});
		},
		/** Resolves when it is noticed. */
		async change(act: () => Promise<unknown>): Promise<void> {
			const noticed = new Promise<void>(resolve => {
				notice = resolve;
			});
			await act();
			await noticed;
		},
	};
}

test('whatever way a source is saved, it is seen', async t => {
	const {path, change, start} = await watched(t);
	start();

	await change(() => writeFile(path('bots/lunch.ts'), 'three'));
	await change(async () => {
		await writeFile(path('bots/.lunch.ts.swp'), 'four');
		await rename(path('bots/.lunch.ts.swp'), path('bots/lunch.ts'));
	});
	await change(async () => {
		await mkdir(path('bots/tea'));
		await writeFile(path('bots/tea/index.mjs'), 'one');
	});
	await change(() => rm(path('bots/lunch.ts')));
	await change(() => writeFile(path('bothyrc'), '[lunch]'));
	t.pass();
});

test('what is saved between opening and starting is seen', async t => {
	const {path, change, start} = await watched(t);
	await writeFile(path('bots/lunch.ts'), 'three');

	await change(async () => start());

	t.pass();
});

test('what is no source is passed over', async t => {
	const {path, seen, start, change} = await watched(t);
	start();
	for (const name of ['data/realm.json', 'node_modules/a.js', '.git/a.js', 'bots/notes.txt']) {
		await writeFile(path(name), 'text');
	}

	// A few looks.
	await sleep(300);

	t.is(seen(), 0);
	await change(() => writeFile(path('bots/lunch.ts'), 'three'));
	t.is(seen(), 1);
});
