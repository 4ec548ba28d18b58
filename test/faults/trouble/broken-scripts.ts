// The product without a part, to show that the suite notices: scripts without a step, sent to Redis in
// place of the right ones.

import {createHash} from 'node:crypto';
import type {Redis} from 'ioredis';
import {scripts} from '../../../src/delivery/scripts/index.js';

type ScriptName = keyof typeof scripts;

export const shas = Object.fromEntries(
	Object.entries(scripts).map(([name, lua]) => [name, createHash('sha1').update(lua).digest('hex')]),
) as Record<ScriptName, string>;

const BREAKS: Record<string, Partial<Record<ScriptName, (lua: string) => string>>> = {
	// Every arrival counts as new.
	claim: {claim: lua => `redis.call('DEL', KEYS[1], KEYS[3])\n${lua}`},
	// Every run may write, also one that another run has taken over.
	fence: {
		renew: lua => without(lua, "if d[1] ~= 'running' or d[2] ~= ARGV[2] then return 'stale' end"),
		finish: lua => without(lua, "if d[2] ~= run then return 'stale' end"),
		append: lua => without(lua, 'd[2] ~= ARGV[2] or'),
	},
};

export interface BrokenScripts {
	/** Hashes of the right scripts, with the hashes of those that run instead. */
	readonly replaced: ReadonlyMap<string, string>;
	/** Loads them into Redis. Call it again after each restart. */
	load(redis: Redis): Promise<void>;
}

/** @param name `claim`, `fence`, or nothing. */
export function breakScripts(name: string | undefined): BrokenScripts {
	const edits = name ? BREAKS[name] : {};
	if (!edits) {
		throw new Error(`Expected FAULTS_BREAK to be ${Object.keys(BREAKS).join(' or ')}, got ${name}`);
	}

	const broken = (Object.entries(edits) as [ScriptName, (lua: string) => string][]).map(([script, edit]) => ({
		sha: shas[script],
		lua: edit(scripts[script]),
	}));
	return {
		replaced: new Map(broken.map(({sha, lua}) => [sha, createHash('sha1').update(lua).digest('hex')])),
		async load(redis) {
			for (const {lua} of broken) {
				await redis.script('LOAD', lua);
			}
		},
	};
}

function without(lua: string, part: string): string {
	if (!lua.includes(part)) {
		throw new Error(
			`Expected a script with \`${part}\`, found none; broken-scripts.ts must follow src/delivery/scripts`,
		);
	}

	return lua.replace(part, '');
}
