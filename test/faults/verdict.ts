// What people see in the realm in the end, held against what was asked.

import {rm} from 'node:fs/promises';
import Database from 'libsql';
import type {Planned} from './plan.js';

export interface Verdict {
	/** Deliveries whose first byte reached a receiver. */
	readonly accepted: number;
	/** Askers who read that their answer must wait for Redis, and how many of them got none. */
	readonly waiting: readonly [number, number];
	/** Marks that are missing, and those that are there more than once. */
	readonly lost: readonly string[];
	readonly doubled: readonly string[];
	/** Messages of bots that nobody should have to read. */
	readonly wrong: readonly string[];
	/** Things said after a handler had returned: said, of how many. */
	readonly afterwards: readonly [number, number];
}

export interface Realm {
	/** Everything that bots wrote. */
	said(): string[];
	/** Webhooks that wait for an answer. */
	waiting(): number;
	close(): void;
}

/** Looks into the realm's own store. */
export function openRealmStore(file: string): Realm {
	const database = new Database(file, {readonly: true});
	const said = database.prepare(
		'SELECT content FROM messages JOIN accounts ON accounts.id = sender_id WHERE bot_type = 3 ORDER BY messages.id',
	);
	const waiting = database.prepare('SELECT count(*) AS count FROM webhook_calls');
	return {
		said: () => (said.all() as {content: string}[]).map(({content}) => content),
		waiting: () => (waiting.get() as {count: number}).count,
		close: () => database.close(),
	};
}

export function judge(
	plan: readonly Planned[],
	{said, accepted, waiting}: {said: readonly string[]; accepted: ReadonlySet<string>; waiting: ReadonlySet<string>},
): Verdict {
	const counts = new Map<string, number>();
	for (const [mark] of said.join('\n').matchAll(/\[f\d{4}\.\w+\]/g)) {
		counts.set(mark, (counts.get(mark) ?? 0) + 1);
	}

	const times = (mark: string) => counts.get(mark) ?? 0;
	const taken = plan.filter(({token}) => accepted.has(token));
	const allowed = taken.flatMap(planned => planned.allowed);
	const isMissing = ({expected}: Planned) => expected.some(mark => times(mark) === 0);
	const told = taken.filter(({token}) => waiting.has(token));
	return {
		accepted: taken.length,
		waiting: [told.length, told.filter(isMissing).length],
		lost: taken
			.filter(({token}) => !waiting.has(token))
			.flatMap(({expected}) => expected.filter(mark => times(mark) === 0)),
		doubled: [...counts].filter(([, count]) => count > 1).map(([mark]) => mark),
		wrong: said.filter(text => /Failure!|Sorry|faster than I can|failed to load/.test(text)),
		afterwards: [allowed.filter(mark => times(mark) > 0).length, allowed.length],
	};
}

/** Deletes the folder of a good run. Keeps that of a bad one, and says where it is. */
export async function endFolder(
	folder: string,
	{isGood, say}: {isGood: boolean; say: (line: string) => void},
): Promise<void> {
	if (isGood) {
		await rm(folder, {recursive: true, force: true});
	} else {
		say(`  ${folder} shows what happened`);
	}
}
