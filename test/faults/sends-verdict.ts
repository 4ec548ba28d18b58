// What bots posted in the realm, also where people changed or deleted it since.

import Database from 'libsql';

export interface Posted {
	/** In order, as they were first posted. */
	texts(): string[];
	/** A message is to be changed or deleted: this is what it said. */
	noteBefore(id: number): void;
	/** What stands there now, who wrote it, and when: seconds since 1970. */
	messages(): {readonly id: number; readonly email: string; readonly timestamp: number}[];
	close(): void;
}

export function openPosted(file: string): Posted {
	const database = new Database(file, {readonly: true});
	const all = database.prepare(
		'SELECT messages.id, content, timestamp, accounts.email FROM messages JOIN accounts ON accounts.id = sender_id WHERE bot_type IN (1, 3) AND is_system_bot = 0 ORDER BY messages.id',
	);
	const first = new Map<number, string>();
	const stored = () => all.all() as {id: number; content: string; email: string; timestamp: number}[];
	return {
		texts() {
			const texts = new Map(stored().map(({id, content}) => [id, content]));
			for (const [id, text] of first) {
				texts.set(id, text);
			}

			return [...texts].toSorted(([a], [b]) => a - b).map(([, text]) => text);
		},
		noteBefore(id) {
			const found = stored().find(message => message.id === id);
			if (found && !first.has(id)) {
				first.set(id, found.content);
			}
		},
		messages: stored,
		close: () => database.close(),
	};
}
