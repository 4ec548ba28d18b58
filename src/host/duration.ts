/** `12 ms`, `3.4 s`, `5 min`. */
export function duration(ms: number): string {
	if (ms < 1_000) {
		return `${Math.max(0, Math.round(ms))} ms`;
	}

	return ms < 120_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`;
}
