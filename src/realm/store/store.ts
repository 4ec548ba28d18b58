// The realm's memory: one SQLite database, asked synchronously.

import Database from 'libsql';
import {migrations} from './schema.js';

type Value = string | number | null | Uint8Array;

export class Store {
	readonly #database: Database.Database;
	readonly #statements = new Map<string, Database.Statement>();
	#afterCommit: Array<() => void> | undefined;

	constructor(database: Database.Database) {
		this.#database = database;
	}

	/** The first row, if any. `Row` says which columns of `schema.ts` the statement asks for. */
	get<Row>(sql: string, ...values: Value[]): Row | undefined {
		return this.all<Row>(sql, ...values)[0];
	}

	/** All rows. */
	all<Row>(sql: string, ...values: Value[]): Row[] {
		return this.#prepare(sql).all(...values) as Row[];
	}

	/** Writes; answers the ID of the row that was inserted last. */
	run(sql: string, ...values: Value[]): number {
		return Number(this.#prepare(sql).run(...values).lastInsertRowid);
	}

	/** All or nothing. Inside another transaction the work becomes part of that one. */
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

	/** Tells others of a change only once it is certain. */
	afterCommit(callback: () => void): void {
		if (this.#afterCommit) {
			this.#afterCommit.push(callback);
			return;
		}

		callback();
	}

	/** What stands in the tables, as SQL that writes it into empty ones. */
	dump(): string {
		const tables = this.all<{name: string}>("SELECT name FROM sqlite_master WHERE type = 'table'");
		return tables.map(({name}) => this.#dumpTable(name)).join('');
	}

	#dumpTable(name: string): string {
		const columns = this.all<{name: string}>('SELECT name FROM pragma_table_info(?)', name);
		const values = columns.map(column => `quote("${column.name}")`).join(" || ',' || ");
		const rows = this.all<{row: string}>(`SELECT ${values} AS row FROM "${name}"`);
		// What counts IDs has counted those that were written before it.
		const counted = name === 'sqlite_sequence' ? 'DELETE FROM sqlite_sequence; ' : '';
		const written =
			rows.length === 0 ? '' : `INSERT INTO "${name}" VALUES (${rows.map(({row}) => row).join('), (')});\n`;
		return counted + written;
	}

	/** Writes what `dump` gave. */
	restore(dump: string): void {
		this.transaction(() => {
			// The tables come in no order.
			this.#database.exec(`PRAGMA defer_foreign_keys = ON; ${dump}`);
		});
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

/** The file cannot be the realm's database. */
export class StoreError extends Error {
	override name = 'StoreError' as const;
	readonly code = 'store';
}

/** Opens or makes the database and brings its tables up to date. */
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

function openFile(file: string): Database.Database {
	try {
		const database = new Database(file, {timeout: 2000});
		// Reads the header, so that a file of another kind is found out here.
		database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON');
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

	if (file === MEMORY) {
		finished ??= readSchema();
		database.exec(`BEGIN; ${finished}; PRAGMA user_version = ${migrations.length}; COMMIT`);
		return;
	}

	migrateFrom(database, version);
}

function migrateFrom(database: Database.Database, version: number): void {
	for (const [index, sql] of migrations.entries()) {
		if (index >= version) {
			database.exec(`BEGIN; ${sql}; PRAGMA user_version = ${index + 1}; COMMIT`);
		}
	}
}

const MEMORY = ':memory:';

/** What all migrations together make of an empty database. Tests open many, and one step is far faster than all of them. */
let finished: string | undefined;

function readSchema(): string {
	const database = new Database(MEMORY);
	migrateFrom(database, 0);
	const made = database.prepare("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name <> 'sqlite_sequence'");
	const statements = made.all() as {sql: string}[];
	database.close();
	return statements.map(({sql}) => sql).join(';\n');
}

function reason(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
