// Why there is no embedded Redis: a folder that cannot be used, or a server that is missing or does not start.

export class EmbeddedRedisError extends Error {
	override name = 'EmbeddedRedisError' as const;

	constructor(
		readonly code: 'folder' | 'missing' | 'start',
		message: string,
		options?: ErrorOptions,
	) {
		super(message, options);
	}
}
