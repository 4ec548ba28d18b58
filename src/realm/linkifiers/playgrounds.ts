// Code playgrounds: web pages that can run code blocks of a language.

import {badRequest, invalid} from '../errors.js';
import type {Services} from '../services.js';
import type {Store} from '../store/store.js';
import {variablesOf} from './url-template.js';

const MAX_LANGUAGE_LENGTH = 40;

interface Playground {
	readonly name: string;
	readonly pygments_language: string;
	readonly url_template: string;
}

export function listPlaygrounds(store: Store) {
	return store.all<Playground & {readonly id: number}>(
		'SELECT id, name, pygments_language, url_template FROM playgrounds ORDER BY id',
	);
}

/** Returns its ID. */
export function addPlayground(services: Services, given: Playground): number {
	const {store} = services;
	if (given.pygments_language.length > MAX_LANGUAGE_LENGTH) {
		throw badRequest(`pygments_language is too long (limit: ${MAX_LANGUAGE_LENGTH} characters)`);
	}

	if (!/^[ a-zA-Z0-9_+\-./#,]*$/.test(given.pygments_language)) {
		throw badRequest('Invalid characters in pygments language');
	}

	const name = given.name.trim();
	const language = given.pygments_language.trim();
	const template = given.url_template.trim();
	check(store, {name, pygments_language: language, url_template: template});
	const id = store.run(
		'INSERT INTO playgrounds (name, pygments_language, url_template) VALUES (?, ?, ?)',
		name,
		language,
		template,
	);
	publish(services);

	return id;
}

export function removePlayground(services: Services, id: number): void {
	const {store} = services;
	if (!store.get('SELECT 1 AS found FROM playgrounds WHERE id = ?', id)) {
		throw badRequest('Invalid playground');
	}

	store.run('DELETE FROM playgrounds WHERE id = ?', id);
	publish(services);
}

function check(store: Store, playground: Playground): void {
	for (const [field, value] of Object.entries(playground)) {
		if (value === '') {
			throw invalid('This field cannot be blank.', field);
		}
	}

	const {name, pygments_language: language, url_template: template} = playground;
	const variables = variablesOf(template);
	if (!variables) {
		throw invalid('Invalid URL template.', 'url_template');
	}

	if (!variables.includes('code')) {
		throw invalid('Missing the required variable "code" in the URL template');
	}

	if (variables.some(variable => variable !== 'code')) {
		throw invalid('"code" should be the only variable present in the URL template');
	}

	if (store.get('SELECT 1 AS found FROM playgrounds WHERE pygments_language = ? AND name = ?', language, name)) {
		throw invalid('Realm playground with this Realm, Pygments language and Name already exists.');
	}
}

function publish({store, queues}: Services): void {
	queues.publish({type: 'realm_playgrounds', realm_playgrounds: listPlaygrounds(store)});
}
