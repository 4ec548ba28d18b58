// A client whose calls name the delivery that causes them.

import type {CallOptions} from './call.js';
import type {Client} from './client.js';

type Method = (what: unknown, options?: CallOptions) => unknown;

/** The same client, but each of its calls sends the ID of this delivery in the header `Bothy-Delivery`. Downloads do not. */
export function forDelivery(client: Client, delivery: string): Client {
	const {email, site, download, close, ...calls} = client;
	const named = Object.entries(calls).map(([name, call]): [string, Method] => [
		name,
		(what, options) => (call as Method)(what, {...options, delivery}),
	]);
	return {...(Object.fromEntries(named) as unknown as typeof calls), email, site, download, close};
}
