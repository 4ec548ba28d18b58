// A realm that does not serve all of the wire does not compile. Nothing here runs.

import type {Handlers} from '../../src/realm/routes.js';

export function serve({sendMessage, ...others}: Handlers): Handlers[] {
	return [
		{...others, sendMessage},
		// @ts-expect-error: a handler is missing
		others,
		// @ts-expect-error: that is another operation's handler
		{...others, sendMessage: others.getMessages},
	];
}
