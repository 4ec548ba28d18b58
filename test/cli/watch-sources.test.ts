import {mkdir, mkdtemp, rename, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {openSourceWatch} from '../../src/cli/project/watch-sources.js';

/** A watched folder, at which the watch looks when the test says so. */
async function watched(t: ExecutionContext) {
	const folder = await mkdtemp(join(tmpdir(), 'bothy-watched-'));
	const path = (name: string) => join(folder, name);
	for (const name of ['bots', 'data', 'node_modules', '.git']) {
		await mkdir(path(name));
	}

	await writeFile(path('bots/lunch.ts'), 'one');
	let seen = 0;
	let look = () => {};
	let rests = () => {};
	const watch = await openSourceWatch({
		folders: [folder],
		files: [path('bothyrc')],
		except: path('data'),
		sleep: (_ms, signal) =>
			new Promise((resolve, reject) => {
				look = resolve;
				signal.addEventListener('abort', () => reject(signal.reason));
				rests();
			}),
	});
	t.teardown(async () => {
		await watch.stop();
		await rm(folder, {recursive: true});
	});
	return {
		path,
		start: () => watch.start(async () => void seen++),
		/** How many changes were seen after so many looks: one finds a change, another that the writing has ended. */
		async seenAfter(looks: number): Promise<number> {
			for (let n = 0; n < looks; n++) {
				const rested = new Promise<void>(resolve => {
					rests = resolve;
				});
				look();
				await rested;
			}

			return seen;
		},
	};
}

test('each save of a source is noticed once, in every way of saving', async t => {
	const {path, seenAfter, start} = await watched(t);
	start();

	await writeFile(path('bots/lunch.ts'), 'three');
	t.is(await seenAfter(2), 1);
	await writeFile(path('bots/.lunch.ts.swp'), 'four');
	await rename(path('bots/.lunch.ts.swp'), path('bots/lunch.ts'));
	t.is(await seenAfter(2), 2);
	await mkdir(path('bots/tea'));
	await writeFile(path('bots/tea/index.mjs'), 'one');
	t.is(await seenAfter(2), 3);
	await rm(path('bots/lunch.ts'));
	t.is(await seenAfter(2), 4);
	await writeFile(path('bothyrc'), '[lunch]');
	t.is(await seenAfter(2), 5);
	t.is(await seenAfter(2), 5);
});

test('a source that is still being written is noticed when it is complete', async t => {
	const {path, seenAfter, start} = await watched(t);
	start();

	await writeFile(path('bots/lunch.ts'), 'three');
	t.is(await seenAfter(1), 0);
	await writeFile(path('bots/lunch.ts'), 'three and a half');
	t.is(await seenAfter(1), 0);
	t.is(await seenAfter(1), 1);
});

test('a save between opening and starting is noticed', async t => {
	const {path, seenAfter, start} = await watched(t);
	await writeFile(path('bots/lunch.ts'), 'three');

	start();

	t.is(await seenAfter(2), 1);
});

test('files that are not sources are ignored', async t => {
	const {path, seenAfter, start} = await watched(t);
	start();
	for (const name of ['data/realm.json', 'node_modules/a.js', '.git/a.js', 'bots/notes.txt']) {
		await writeFile(path(name), 'text');
	}

	t.is(await seenAfter(2), 0);
});
