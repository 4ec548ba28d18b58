// Hours of a week, and whether a time lies within them. They follow the local time of their zone: an hour that
// daylight saving skips never comes, and an hour that it repeats comes twice.

/** One span of `Mon-Fri 9:00-17:30 Europe/Berlin`. */
export interface Span {
	/** Days on which it starts; Sunday is 0. */
	readonly days: readonly number[];
	/** Minutes since midnight. */
	readonly from: number;
	/** At most 1440. If not above `from`, the span ends on the next day. */
	readonly to: number;
	/** IANA name. */
	readonly zone: string;
}

export type Hours = readonly Span[];

/** Thrown by `parseHours`. Says what was expected and what was found. */
export class HoursError extends Error {
	override name = 'HoursError' as const;

	constructor(
		readonly expected: string,
		readonly found: string,
	) {
		super(`Expected ${expected}, found "${found}"`);
	}
}

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const DAY_MINUTES = 24 * 60;

/** Reads `Mon-Fri 9:00-17:30 Europe/Berlin; Sat,Sun 22:00-2:00 UTC`. */
export function parseHours(text: string): Hours {
	return text.split(';').map(span => parseSpan(span.trim()));
}

function parseSpan(text: string): Span {
	const [days, times, zone, ...rest] = text.split(/\s+/);
	if (!days || !times || !zone || rest.length > 0) {
		throw new HoursError('days, times and a time zone such as `Mon-Fri 9:00-17:30 Europe/Berlin`', text);
	}

	const [from, to, ...more] = times.split('-').map(parseTime);
	if (from === undefined || to === undefined || more.length > 0 || from === to || from === DAY_MINUTES) {
		throw new HoursError('two different times such as `9:00-17:30`, `22:00-6:00` or `0:00-24:00`', times);
	}

	if (!isZone(zone)) {
		throw new HoursError('an IANA time zone such as `Europe/Berlin` or `UTC`', zone);
	}

	return {days: [...new Set(days.split(',').flatMap(parseDays))].sort(), from, to, zone};
}

function parseDays(text: string): number[] {
	const [first, last = first, ...rest] = text.split('-').map(day => DAYS.indexOf(day.toLowerCase()));
	if (first === undefined || last === undefined || first < 0 || last < 0 || rest.length > 0) {
		throw new HoursError('days such as `Mon-Fri` or `Mon,Wed,Sat-Sun`', text);
	}

	const count = ((last - first + 7) % 7) + 1;
	return Array.from({length: count}, (_, n) => (first + n) % 7);
}

/** Minutes since midnight. Undefined if the text is no time. */
function parseTime(text: string): number | undefined {
	const [, hours, minutes] = /^(\d{1,2}):([0-5]\d)$/.exec(text) ?? [];
	const minute = Number(hours) * 60 + Number(minutes);
	return minute <= DAY_MINUTES ? minute : undefined;
}

function isZone(zone: string): boolean {
	try {
		wallClock(zone);
		return true;
	} catch {
		return false;
	}
}

/** Whether a time, in milliseconds since 1970, lies within the hours. */
export function isWithin(hours: Hours, instantMs: number): boolean {
	return hours.some(({days, from, to, zone}) => {
		const {day, minute} = readWall(zone, instantMs);
		if (from < to) {
			return days.includes(day) && minute >= from && minute < to;
		}

		const yesterday = (day + 6) % 7;
		return (days.includes(day) && minute >= from) || (days.includes(yesterday) && minute < to);
	});
}

function readWall(zone: string, instantMs: number): {day: number; minute: number} {
	const parts = wallClock(zone).formatToParts(instantMs);
	const read = (type: Intl.DateTimeFormatPartTypes) => parts.find(part => part.type === type)?.value ?? '';
	return {
		day: DAYS.indexOf(read('weekday').toLowerCase()),
		minute: Number(read('hour')) * 60 + Number(read('minute')),
	};
}

/** Cached because they are expensive to create. */
const wallClocks = new Map<string, Intl.DateTimeFormat>();

/** @throws RangeError for a zone that does not exist. */
function wallClock(zone: string): Intl.DateTimeFormat {
	const known = wallClocks.get(zone);
	if (known) {
		return known;
	}

	const clock = new Intl.DateTimeFormat('en-US', {
		timeZone: zone,
		weekday: 'short',
		hour: '2-digit',
		minute: '2-digit',
		hourCycle: 'h23',
	});
	wallClocks.set(zone, clock);
	return clock;
}
