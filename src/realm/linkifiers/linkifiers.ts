// The organization's linkifiers: patterns that turn text into links.

import type {Linkifier} from '../../api/index.js';
import {badRequest, invalid} from '../errors.js';
import type {Services} from '../services.js';
import type {Store} from '../store/store.js';
import {compilePattern} from './find-links.js';
import {variablesOf} from './url-template.js';

type Rule = Pick<Linkifier, 'pattern' | 'url_template'>;

export function listLinkifiers(store: Store): Linkifier[] {
	return store.all<Linkifier>('SELECT id, pattern, url_template FROM linkifiers ORDER BY position, id');
}

/** Returns its ID. */
export function addLinkifier(services: Services, rule: Rule): number {
	const {store} = services;
	checkRule(store, rule);
	const id = store.run(
		'INSERT INTO linkifiers (pattern, url_template, position) SELECT ?, ?, coalesce(max(position), 0) + 1 FROM linkifiers',
		rule.pattern,
		rule.url_template,
	);
	publish(services);

	return id;
}

export function updateLinkifier(services: Services, {id, pattern, url_template}: Rule & {readonly id: number}): void {
	const {store} = services;
	checkExists(store, id);
	checkRule(store, {pattern, url_template}, id);
	store.run('UPDATE linkifiers SET pattern = ?, url_template = ? WHERE id = ?', pattern, url_template, id);
	publish(services);
}

export function removeLinkifier(services: Services, id: number): void {
	const {store} = services;
	checkExists(store, id);
	store.run('DELETE FROM linkifiers WHERE id = ?', id);
	publish(services);
}

/** Linkifiers earlier in the list take precedence. */
export function reorderLinkifiers(services: Services, ids: readonly number[]): void {
	const {store} = services;
	if (new Set(ids).size < ids.length) {
		throw badRequest('The ordered list must not contain duplicated linkifiers');
	}

	const known = listLinkifiers(store);
	if (known.length !== ids.length || !known.every(({id}) => ids.includes(id))) {
		throw badRequest('The ordered list must enumerate all existing linkifiers exactly once');
	}

	if (known.length === 0) {
		return;
	}

	store.transaction(() => {
		for (const [position, id] of ids.entries()) {
			store.run('UPDATE linkifiers SET position = ? WHERE id = ?', position, id);
		}

		publish(services);
	});
}

function checkExists(store: Store, id: number): void {
	if (!store.get('SELECT 1 AS found FROM linkifiers WHERE id = ?', id)) {
		throw badRequest('Linkifier not found.');
	}
}

/** `id` is the ID of the linkifier, if it exists already. */
function checkRule(store: Store, {pattern, url_template}: Rule, id = 0): void {
	for (const [field, value] of Object.entries({pattern, url_template})) {
		if (value === '') {
			throw invalid('This field cannot be blank.', field);
		}
	}

	const variables = variablesOf(url_template);
	if (!variables) {
		throw invalid('Invalid URL template.', 'url_template');
	}

	const groups = groupsOf(pattern);
	const unknown = variables.find(name => !groups.includes(name));
	if (unknown !== undefined) {
		throw invalid(`Group '${unknown}' in URL template is not present in linkifier pattern.`);
	}

	const unused = groups.find(name => !variables.includes(name));
	if (unused !== undefined) {
		throw invalid(`Group '${unused}' in linkifier pattern is not present in URL template.`);
	}

	if (store.get('SELECT 1 AS found FROM linkifiers WHERE pattern = ? AND id != ?', pattern, id)) {
		throw invalid('Realm filter with this Realm and Pattern already exists.');
	}
}

function groupsOf(pattern: string): string[] {
	// The service's regular expressions have no look-around.
	const [operator] = /\(\?<?[=!]/.exec(pattern.replaceAll(/\\./g, '')) ?? [];
	if (operator !== undefined) {
		throw invalid(`Bad regular expression: invalid perl operator: ${operator}`);
	}

	try {
		// With an empty alternative, any pattern matches the empty text and returns its groups.
		const match = new RegExp(`${compilePattern(pattern).source}|`).exec('');
		return Object.keys(match?.groups ?? {});
	} catch {
		throw invalid(`Bad regular expression: ${problemOf(pattern)}`);
	}
}

/** What is wrong with a pattern, in the words of the service's engine. */
function problemOf(pattern: string): string {
	const plain = pattern.replaceAll(/\\./gs, '').replaceAll(/\[\^?\]?[^\]]*\]/g, '');
	const [open, closed] = [plain.split('(').length, plain.split(')').length];
	if (/\\$/.test(pattern.replaceAll(/\\\\/g, ''))) {
		return 'trailing \\';
	}

	const [bracket] = /\[.*$/s.exec(plain) ?? [];
	if (bracket !== undefined) {
		return `missing ]: ${bracket}`;
	}

	if (open !== closed) {
		return open > closed ? `missing ): ${pattern}` : `unexpected ): ${pattern}`;
	}

	const [repeat] = /(?:(?<=^|[(|])[*+?]|[*+?]{2,})/.exec(plain) ?? [];
	return repeat === undefined
		? pattern
		: `${repeat.length > 1 ? 'bad repetition operator' : 'no argument for repetition operator'}: ${repeat}`;
}

/** Publishes all linkifiers, also in the form for clients without URL templates. */
function publish({store, queues}: Services): void {
	const all = listLinkifiers(store);
	queues.publish({type: 'realm_linkifiers', realm_linkifiers: all});
}
