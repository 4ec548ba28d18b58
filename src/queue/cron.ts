// Recurring times: a cron pattern in a time zone, and the due times that were missed.

import {CronExpressionParser} from 'cron-parser';
import {DateTime} from 'luxon';
import {z} from '../api/zod.js';

/** When a schedule recurs. */
export interface Cron {
	/** Five fields, or six with seconds first: `0 9 * * 1-5`. */
	readonly pattern: string;
	/** IANA time zone. Default `UTC`. */
	readonly tz?: string | undefined;
	/** What to do about due times that passed while no worker ran: run once for all of them, or skip them. Default `skip`. */
	readonly missed?: 'once' | 'skip' | undefined;
}

export const CheckedCron = z.object({
	pattern: z.string(),
	tz: z.string().default('UTC'),
	missed: z.enum(['once', 'skip']).default('skip'),
});
export type CheckedCron = z.infer<typeof CheckedCron>;

/** A busy worker is no outage. */
const ON_TIME_MS = 60_000;

/** Missed times are counted up to this number. */
const MOST_COUNTED = 10_000;

/** The largest leap of a clock. */
const LEAP_MS = 3_600_000;

/** @throws RangeError that says what is wrong with a pattern or a zone. */
export function checkCron(cron: Cron): CheckedCron {
	const checked = CheckedCron.parse(cron);
	try {
		new Intl.DateTimeFormat('en', {timeZone: checked.tz});
	} catch {
		throw new RangeError(`Expected an IANA time zone such as Europe/Berlin in \`tz\`, got "${checked.tz}"`);
	}

	// The parser fills in missing fields at the front: `9 * * *` would be due in each minute from nine to ten.
	const fields = checked.pattern.trim().split(/\s+/).length;
	if (fields !== 5 && fields !== 6) {
		throw new RangeError(
			`Expected a cron pattern of five or six fields such as "0 9 * * 1-5", got "${checked.pattern}"`,
		);
	}

	// The parser picks a random value, and a new one at each call.
	if (/(^|[\s,])H/i.test(checked.pattern)) {
		throw new RangeError(`Expected a cron pattern with fixed times, got "${checked.pattern}" with an H`);
	}

	try {
		nextAfter(checked, 0);
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		throw new RangeError(`Expected a cron pattern such as "0 9 * * 1-5", got "${checked.pattern}" (${reason})`);
	}

	return checked;
}

/** The first due time after `time`, both in milliseconds since 1970. */
export function nextAfter({pattern, tz}: Pick<CheckedCron, 'pattern' | 'tz'>, time: number): number {
	const next = firstMatch({pattern, tz}, time);
	if (next - time <= LEAP_MS) {
		return next;
	}

	// The parser loses a whole day if clocks leap over its midnight. A time due then becomes due right after the leap.
	const clock = DateTime.fromMillis(time, {zone: tz}).setZone('UTC', {keepLocalTime: true});
	const onClock = DateTime.fromMillis(firstMatch({pattern, tz: 'UTC'}, clock.toMillis()), {zone: 'UTC'});
	const leapt = onClock.setZone(tz, {keepLocalTime: true});
	return leapt.hour === onClock.hour && leapt.minute === onClock.minute ? next : Math.min(next, leapt.toMillis());
}

function firstMatch({pattern, tz}: {pattern: string; tz: string}, time: number): number {
	return CronExpressionParser.parse(pattern, {tz, currentDate: new Date(time)})
		.next()
		.getTime();
}

export interface Tick {
	readonly fires: boolean;
	/** Due times that passed without a run. Includes this one if it is skipped. */
	readonly missed: number;
}

/** Decides at `now` about the due time `planned`, both in milliseconds since 1970. */
export function decideTick(cron: CheckedCron, {planned, now}: {planned: number; now: number}): Tick {
	if (now - planned < ON_TIME_MS) {
		return {fires: true, missed: 0};
	}

	let since = 0;
	for (let time = nextAfter(cron, planned); time <= now && since < MOST_COUNTED; time = nextAfter(cron, time)) {
		since++;
	}

	return cron.missed === 'once' ? {fires: true, missed: since} : {fires: false, missed: since + 1};
}
