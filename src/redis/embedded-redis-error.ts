// Why there is no embedded Redis: a folder or port that is taken, a server that is missing or does not start.

export class EmbeddedRedisError extends Error {
	override name = 'EmbeddedRedisError' as const;

	constructor(
		readonly code: 'folder' | 'missing' | 'owned' | 'port' | 'start',
		message: string,
		options?: ErrorOptions,
	) {
		super(message, options);
	}
}
