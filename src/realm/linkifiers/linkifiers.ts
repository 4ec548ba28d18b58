// What the organization makes links of.

import type {Linkifier} from '../../api/index.js';
import {badRequest} from '../errors.js';
import type {Services} from '../services.js';
import type {Store} from '../store/store.js';
import {compilePattern} from './find-links.js';
import {variablesOf} from './url-template.js';

type Rule = Pick<Linkifier, 'pattern' | 'url_template'>;

export function listLinkifiers(store: Store): Linkifier[] {
	return store.all<Linkifier>('SELECT id, pattern, url_template FROM linkifiers ORDER BY id');
}

/** Answers its ID. */
export function addLinkifier(services: Services, rule: Rule): number {
	const {store} = services;
	checkRule(store, rule);
	const id = store.run('INSERT INTO linkifiers (pattern, url_template) VALUES (?, ?)', rule.pattern, rule.url_template);
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

function checkExists(store: Store, id: number): void {
	if (!store.get('SELECT 1 AS found FROM linkifiers WHERE id = ?', id)) {
		throw badRequest('Linkifier not found.');
	}
}

/** `id` is that of the linkifier itself, where there is one already. */
function checkRule(store: Store, {pattern, url_template}: Rule, id = 0): void {
	const groups = groupsOf(pattern);
	const variables = variablesOf(url_template);
	if (!variables) {
		throw badRequest('Invalid URL template.');
	}

	const unused = groups.find(name => !variables.includes(name));
	if (unused !== undefined) {
		throw badRequest(`Group '${unused}' in linkifier pattern is not present in URL template.`);
	}

	const unknown = variables.find(name => !groups.includes(name));
	if (unknown !== undefined) {
		throw badRequest(`Group '${unknown}' in URL template is not present in linkifier pattern.`);
	}

	if (store.get('SELECT 1 AS found FROM linkifiers WHERE pattern = ? AND id != ?', pattern, id)) {
		throw badRequest('Realm filter with this Realm and Pattern already exists.');
	}
}

function groupsOf(pattern: string): string[] {
	try {
		// Beside an empty choice, any pattern fits the empty text.
		const match = new RegExp(`${compilePattern(pattern).source}|`).exec('');
		return Object.keys(match?.groups ?? {});
	} catch {
		throw badRequest(`Bad regular expression: ${pattern}`);
	}
}

/** Tells everybody what there is now. */
function publish({store, queues}: Services): void {
	const all = listLinkifiers(store);
	queues.publishEach('realm_linkifiers', ({options}) => ({realm_linkifiers: options.linkifierTemplates ? all : []}));
}
