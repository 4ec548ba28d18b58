// Breaks one thing in the product while its files are loaded, for `node --import`; on the disk nothing changes. What is
// broken stands in BOTHY_MUTATION: `handler sendMessage` or `encoding sendMessage`.

import {register} from 'node:module';
import {isMainThread} from 'node:worker_threads';

/** What is added to which file. */
const additions = {
	'/dist/src/realm/operations/index.js': 'mutation.mutateHandlers(handlers);',
	'/dist/src/client/client.js': 'createClient = mutation.mutateClients(createClient);',
};

// Node loads this file a second time, into the thread that has the hooks.
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

/** The realm's handler says that all went well, and does nothing. */
export function mutateHandlers(handlers) {
	for (const name of Object.keys(handlers).filter(each => isMutated('handler', each))) {
		handlers[name] = {...handlers[name], answer: () => ({})};
	}
}

/** The client's method loses the last parameter that it is given. */
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
