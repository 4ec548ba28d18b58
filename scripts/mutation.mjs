// Breaks one thing in the product while its files are loaded, with `node --import`. Nothing changes on disk. BOTHY_MUTATION
// names the mutation: `handler sendMessage` or `encoding sendMessage`.

import {register} from 'node:module';
import {isMainThread} from 'node:worker_threads';

/** The code to add, and its file. */
const additions = {
	'/dist/src/realm/operations/index.js': 'mutation.mutateHandlers(handlers);',
	'/dist/src/client/client.js': 'createClient = mutation.mutateClients(createClient);',
};

// Node loads this file a second time, into the thread that runs the hooks.
if (isMainThread) {
	register(import.meta.url);
}

export async function load(url, context, nextLoad) {
	const loaded = await nextLoad(url, context);
	const addition = Object.entries(additions).find(([file]) => url.endsWith(file))?.[1];
	return addition
		? {...loaded, source: `${loaded.source}\nimport * as mutation from '${import.meta.url}';\n${addition}`}
		: loaded;
}

/** The realm's handler reports success and does nothing. */
export function mutateHandlers(handlers) {
	for (const name of Object.keys(handlers).filter(each => isMutated('handler', each))) {
		handlers[name] = {...handlers[name], answer: () => ({})};
	}
}

/** The client's method drops the last parameter that it gets. */
export function mutateClients(createClient) {
	return options => {
		const client = createClient(options);
		const mutated = Object.entries(client)
			.filter(([name]) => isMutated('encoding', name))
			.map(([name, method]) => [name, (parameters = {}, ...others) => method(withoutLast(parameters), ...others)]);
		return {...client, ...Object.fromEntries(mutated)};
	};
}

function withoutLast(parameters) {
	const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
	return Object.fromEntries(given.slice(0, -1));
}

function isMutated(kind, operation) {
	return process.env.BOTHY_MUTATION === `${kind} ${operation}`;
}
