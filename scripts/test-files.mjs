// Finds test files by the words that people type.

import {existsSync, readdirSync, readFileSync, statSync} from 'node:fs';
import path from 'node:path';
import {root} from './build.mjs';

/** The compiled file of a source, relative to the checkout, and the reverse. */
export const outputOf = source => path.join('dist', source.replace(/\.ts$/, '.js'));
export const sourceOf = output => path.relative('dist', output).replace(/\.js$/, '.ts');

/** All test files below a folder of the checkout, as paths relative to the checkout. */
export function listTests(folder = 'test') {
	return readdirSync(path.join(root, folder), {recursive: true})
		.filter(name => /\.test\.[jt]s$/.test(name))
		.map(name => path.join(folder, name))
		.sort();
}

/** Turns a source or a folder of tests into AVA's name for it. Other words stay unchanged. */
export function toOutput(word) {
	const file = path.relative(root, path.resolve(word));
	if (file !== 'test' && !file.startsWith(`test${path.sep}`)) {
		return word;
	}

	return existsSync(path.join(root, file)) ? outputOf(file) : word;
}

/** The test files that a word names: a path, or the end of one, such as `dispatch` or `bot/dispatch`. */
export function findByName(word) {
	const found = path.relative(root, path.resolve(word));
	if (/\.test\.ts$/.test(found) && existsSync(path.join(root, found))) {
		return [found];
	}

	if (existsSync(path.join(root, found)) && statSync(path.join(root, found)).isDirectory() && found !== '') {
		return listTests(found);
	}

	const end = `${path.sep}${path.normalize(word).replace(/(\.test)?(\.[jt]s)?$/, '')}.test.ts`;
	return listTests().filter(file => `${path.sep}${file}`.endsWith(end));
}

/** The test files that contain these words together, else those that contain each word: a title may be built at run time. */
export function findByTitle(title) {
	const texts = listTests().map(file => [file, readFileSync(path.join(root, file), 'utf8').toLowerCase()]);
	const having = words => texts.filter(([, text]) => words.every(word => text.includes(word))).map(([file]) => file);
	const exact = having([title.toLowerCase()]);
	return exact.length > 0 ? exact : having(title.toLowerCase().match(/\p{L}+/gu) ?? [title]);
}

/** The pattern of `--match` that matches only this title. */
export function patternOf(title) {
	return title.replaceAll(/[\\*]|^!/g, '\\$&');
}
