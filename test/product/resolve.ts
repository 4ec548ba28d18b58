// Module hooks: the tests of example bots get, by the names that they import, what runs them in the whole product.

import type {ResolveHook} from 'node:module';

const instead: Readonly<Record<string, string>> = {ava: './one-by-one.js', 'bothy/testing': './test-bot.js'};

export const resolve: ResolveHook = (specifier, context, next) => {
	const ours = context.parentURL?.includes('/test/bots/') ? instead[specifier] : undefined;
	return next(ours === undefined ? specifier : new URL(ours, import.meta.url).href, context);
};
