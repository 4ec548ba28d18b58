// Parses and formats times for the terminal.

import {InvalidArgumentError} from 'commander';

const UNIT_MS: Record<string, number> = {s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000};

/** Milliseconds since 1970 of `2h` (ago), `2026-11-21` (midnight here) or an ISO time (local, unless it has a zone). */
export function parseSince(text: string, now: number = Date.now()): number {
	const [, count, unit] = /^(\d+(?:\.\d+)?)([smhd])$/.exec(text) ?? [];
	if (count !== undefined && unit !== undefined) {
		return now - Number(count) * (UNIT_MS[unit] ?? 0);
	}

	const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
	const isTime = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/.test(text);
	const time = isDay ? Date.parse(`${text}T00:00`) : isTime ? Date.parse(text.replace(' ', 'T')) : Number.NaN;
	if (Number.isNaN(time)) {
		throw new InvalidArgumentError('Expected 30s, 15m, 2h, 3d, 2026-11-21 or 2026-11-21T10:30.');
	}

	return time;
}

/** `2026-11-21 10:30:00`, in this machine's time zone. */
export function localTime(time: number): string {
	const date = new Date(time);
	const two = (value: number) => String(value).padStart(2, '0');
	const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
	return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')}`;
}

/** `11-21 10:30:00`, in this machine's time zone, for columns whose header shows the zone. */
export function shortTime(time: number): string {
	return localTime(time).slice('2026-'.length);
}

/** The short name of this machine's time zone: `UTC`, `GMT+2`. */
export function zoneName(): string {
	const parts = new Intl.DateTimeFormat('en', {timeZoneName: 'short'}).formatToParts();
	return parts.find(({type}) => type === 'timeZoneName')?.value ?? '';
}

/** An ISO time for JSON output; null for undefined. */
export function isoTime(time: number | undefined): string | null {
	return time ? new Date(time).toISOString() : null;
}
