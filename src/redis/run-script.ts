// Runs Lua scripts by their digest; the text goes over the wire once.

import {createHash} from 'node:crypto';
import type {Cluster, Redis} from 'ioredis';

export type RunScript<Name extends string> = (
	name: Name,
	keys: readonly string[],
	args: readonly (string | number)[],
) => Promise<unknown>;

/** Sets `now` in a script: milliseconds by Redis's own clock, because the clocks of holders may differ. */
export const NOW = `
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
`;

export function createScripts<Name extends string>(
	redis: Redis | Cluster,
	scripts: Readonly<Record<Name, string>>,
): RunScript<Name> {
	const shas = new Map(
		Object.entries<string>(scripts).map(([name, lua]) => [name, createHash('sha1').update(lua).digest('hex')]),
	);

	return async function run(name, keys, args) {
		try {
			return await redis.evalsha(shas.get(name) ?? '', keys.length, ...keys, ...args);
		} catch (error) {
			if (error instanceof Error && error.message.startsWith('NOSCRIPT')) {
				return redis.eval(scripts[name], keys.length, ...keys, ...args);
			}

			throw error;
		}
	};
}
