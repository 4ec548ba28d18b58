// A realm's database file, for tests that open it twice or change what no call changes.

import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {ExecutionContext} from 'ava';
import Database from 'libsql';

export async function temporaryFile(t: ExecutionContext): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), 'realm-'));
	t.teardown(() => rm(folder, {recursive: true}));
	return join(folder, 'realm.db');
}

export function changeDatabase(file: string, sql: string): void {
	const database = new Database(file, {timeout: 2000});
	database.exec(sql);
	database.close();
}
