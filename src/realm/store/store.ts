// The realm's storage: one SQLite database, used synchronously.

import {randomUUID} from 'node:crypto';
import {readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import Database from 'libsql';
import {badRequest} from '../errors.js';
import {migrations} from './schema.js';

type Value = string | number | null | Uint8Array;

export class Store {
	readonly #database: Database.Database;
	readonly #statements = new Map<string, Database.Statement>();
	#afterCommit: Array<() => void> | undefined;

	constructor(database: Database.Database) {
		this.#database = database;
	}

	/** Returns the first row, if any. `Row` must have the columns that the statement selects. */
	get<Row>(sql: string, ...values: Value[]): Row | undefined {
		return this.all<Row>(sql, ...values)[0];
	}

	/** Returns all rows. */
	all<Row>(sql: string, ...values: Value[]): Row[] {
		return this.#prepare(sql).all(...values) as Row[];
	}

	/** Writes. Returns the ID of the last inserted row. Throws for a text with a null byte: SQLite would cut it there when it reads it. */
	run(sql: string, ...values: Value[]): number {
		if (values.some(value => typeof value === 'string' && value.includes('\0'))) {
			throw badRequest('Text must not contain null bytes');
		}

		return Number(this.#prepare(sql).run(...values).lastInsertRowid);
	}

	/** Does all or nothing. Inside another transaction, the work becomes part of it. */
	transaction<Result>(work: () => Result): Result {
		if (this.#afterCommit) {
			return work();
		}

		const callbacks: Array<() => void> = [];
		this.#afterCommit = callbacks;
		let result: Result;
		try {
			result = this.#database.transaction(work)();
		} finally {
			this.#afterCommit = undefined;
		}

		for (const callback of callbacks) {
			callback();
		}

		return result;
	}

	/** Calls `callback` after the commit, so that others learn of a change only if it is final. */
	afterCommit(callback: () => void): void {
		if (this.#afterCommit) {
			this.#afterCommit.push(callback);
			return;
		}

		callback();
	}

	/** The bytes of the database file. */
	bytes(): Uint8Array {
		const file = temporaryFile();
		try {
			this.run('VACUUM INTO ?', file);
			return readFileSync(file);
		} finally {
			rmSync(file, {force: true});
		}
	}

	close(): void {
		this.#statements.clear();
		this.#database.close();
	}

	#prepare(sql: string): Database.Statement {
		const known = this.#statements.get(sql);
		if (known) {
			return known;
		}

		const statement = this.#database.prepare(sql);
		this.#statements.set(sql, statement);
		return statement;
	}
}

/** The file cannot be opened as the realm's database. */
export class StoreError extends Error {
	override name = 'StoreError' as const;
	readonly code = 'store';
}

/** Opens or creates the database and migrates its tables. */
export function openStore(file: string): Store {
	const database = openFile(file);
	try {
		migrate(database, file);
	} catch (error) {
		database.close();
		throw error;
	}

	return new Store(database);
}

/** Opens a temporary database that starts as `bytes`. */
export function openCopy(bytes: Uint8Array): Store {
	const file = temporaryFile();
	try {
		writeFileSync(file, bytes, {flag: 'wx', mode: 0o600});
		const database = new Database(file);
		// No journal file, so that the temporary file can be deleted while it is open.
		database.exec(
			'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA foreign_keys = ON',
		);
		return new Store(database);
	} finally {
		rmSync(file, {force: true});
	}
}

function temporaryFile(): string {
	return join(tmpdir(), `realm-${randomUUID()}.db`);
}

function openFile(file: string): Database.Database {
	try {
		const database = new Database(file, {timeout: 2000});
		// Reads the header, so that another kind of file fails here. In memory nothing waits for the disk, not even `bytes`.
		const synchronous = file === ':memory:' ? 'OFF' : 'NORMAL';
		database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}; PRAGMA foreign_keys = ON`);
		return database;
	} catch (error) {
		throw new StoreError(
			`Could not open ${file} as the realm's database: ${reason(error)}. Name another file, or move this one away and a new realm is made`,
			{cause: error},
		);
	}
}

function migrate(database: Database.Database, file: string): void {
	const {user_version: version} = database.prepare('PRAGMA user_version').get() as {user_version: number};
	if (version > migrations.length) {
		throw new StoreError(
			`${file} was written by a newer Bothy (its tables are version ${version}, this one knows ${migrations.length}). Update Bothy, name another file, or move this one away and a new realm is made`,
		);
	}

	for (const [index, sql] of migrations.entries()) {
		if (index >= version) {
			database.exec(`BEGIN; ${sql}; PRAGMA user_version = ${index + 1}; COMMIT`);
		}
	}
}

function reason(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
