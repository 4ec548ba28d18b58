/** A setting that prevents the start. */
export class ConfigError extends Error {
	override name = 'ConfigError' as const;
}

export function isMissing(error: unknown): boolean {
	return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

export function reasonOf(error: unknown): string {
	return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

export function asConfigError(error: unknown): ConfigError {
	return error instanceof ConfigError ? error : new ConfigError(error instanceof Error ? error.message : String(error));
}
